"""Print the answers of `flop_ledger` to 29 calls, which must not depend on the versions of Python and of other packages."""

import flop_ledger
from flop_ledger import (
    cite,
    compare,
    count,
    dense_peak,
    estimate,
    estimates,
    forecast,
    match,
    model,
    query,
    thresholds,
    trend,
    utilization,
)

RUN = {"parameters": "7B", "tokens": "2T"}
ON_CHIPS = {"chips": 256, "hardware": "H100"}
NAMES = ["GPT-4", "Llama 3.1 405B", "claude-3-5-sonnet-20241022", "nobody's model"]
CALLS = {
    "a number": lambda: model("gpt-3").training_flop,
    "an account": lambda: repr(model("gpt-4")),
    "an explanation": lambda: model("deepseek-v3").explain(),
    "a row of the catalogue": lambda: repr(model("Grok 4")),
    "facts": lambda: model("bert-large").facts,
    "JSON": lambda: model("palm-540b").to_dict(),
    "all estimates": lambda: estimates().to_csv(),
    "the catalogue": lambda: estimates("catalogue").to_csv(),
    "both": lambda: estimates("all").to_csv(),
    "types": lambda: [str(kind) for kind in estimates().dtypes],
    "units": lambda: estimates().attrs["units"],
    "a comparison": lambda: compare("gpt-3", "palm-540b").to_csv(),
    "names": lambda: match(NAMES).to_csv(),
    "thresholds": lambda: thresholds("grok-3"),
    "thresholds of a tuned model": lambda: thresholds("openvla-7b"),
    "a default utilization": lambda: utilization("llm", hardware="H100", precision="bf16", chips=256),
    "growth": lambda: trend().to_csv(),
    "growth of a domain": lambda: trend(domain="language").to_csv(),
    "a query": lambda: query("select hardware_id, name from hardware order by 1").to_csv(),
    "dates of a query": lambda: query("select model_id, published_date from estimates order by 1").to_csv(),
    "nulls of a query": lambda: query("select model_id, is_disputed, chips from estimates order by 1").to_csv(),
    "a count": lambda: count("resnet50", image_size=384),
    "peaks": lambda: dense_peak("NVIDIA H100 80GB HBM3"),
    "a citation": lambda: str(cite("gpt-3")),
    "an estimate by counting": lambda: estimate(**RUN).to_dict(),
    "an estimate by both methods": lambda: estimate(**RUN, **ON_CHIPS, days=20).to_dict(),
    "an estimate of a tuning": lambda: estimate(base_model="llama-2-70b", tokens="40M").to_dict(),
    "a forecast of days": lambda: forecast(**RUN, **ON_CHIPS).to_dict(),
    "a version": lambda: flop_ledger.__version__,
}

for name, call in CALLS.items():
    print(f"{name}: {call()}")
