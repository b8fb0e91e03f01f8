-- Training steps that hardware counters measured on a V100: FLOP executed in the forward and backward pass, the
-- optimizer's share, and the passes over those of the same network and batch in FP32 (the same case without mixed
-- precision has another ending: noamp for amp, O0 for O1).
with steps as (
    select network, framework, "case", max(tensor_core_fraction) as tensor_core_fraction,
        any_value(executed_flop) filter (where pass_kind = 'forward') as forward_flop,
        any_value(executed_flop) filter (where pass_kind = 'backward') as backward_flop,
        any_value(executed_flop) filter (where pass_kind = 'optimizer') as optimizer_flop
    from executed_flop
    where chip = 'V100'
    group by network, framework, "case"
)
select s.network, s.framework, s."case", s.forward_flop, s.backward_flop, s.tensor_core_fraction,
    s.backward_flop / s.forward_flop as backward_to_forward_ratio,
    s.optimizer_flop / (s.forward_flop + s.backward_flop) as optimizer_fraction,
    s.forward_flop / plain.forward_flop as forward_over_fp32_ratio,
    s.backward_flop / plain.backward_flop as backward_over_fp32_ratio
from steps s
left join steps plain on s.tensor_core_fraction > 0 and plain.tensor_core_fraction = 0
    and replace(replace(plain."case", '-noamp', '-amp'), 'O0', 'O1') = s."case"
order by s.network, s.framework, s."case"
