-- The P100 study's values: network, `key` (its name in every spelling), and the way of counting and timing; and,
-- with `kind` measured, other rows of these networks.
with study as (
    select
        regexp_extract(row, '^(.+)-\d+-(theory|one|batch|epoch)$', ['name', 'kind']) as parsed,
        network as family,
        stated_utilization_fraction as utilization_fraction
    from reported_utilizations
    where measurement_id = 'p100-study'
), named as (
    select
        parsed.name as name, parsed.kind as kind, family, utilization_fraction,
        regexp_replace(regexp_replace(parsed.name, '[-_]', '', 'g'), '^alexnet.*', 'alexnet') as key
    from study
    where parsed.name <> ''
), measured as (
    select
        if(precision = 'fp32', 'measured_full', 'measured_fast') as kind,
        measured_utilization_fraction as utilization_fraction,
        regexp_replace(regexp_replace(architecture, '[-_]', '', 'g'), '^alexnet.*', 'alexnet') as key
    from measured_rows
), networks as (
    select key, min(name) as network, min(family) as family from named group by key
)
select key, network, n.family, kind, utilization_fraction from named join networks n using (key)
union all
select key, network, family, kind, utilization_fraction from measured join networks using (key)
