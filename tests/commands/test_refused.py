"""What each command refuses: an exit code, and one line with the nearest right word or the way on."""

import shlex

import pytest

from pipeline.base.paths import ROOT
from tests.builders import typed

# The words of a command, its exit code, and what it prints on standard error; $ is the end.
REFUSED = """
estimate --parameters 7B --tokens 2T --chips 256 --hardware H100 --days 20 --utilization 0.4 | 1 | leave out one of the five
estimate --parameters 7B --batch 12 --steps 12030 | 1 | --batch: 12 tokens per step are too few; if the batch counts sequences
estimate --parameters 7B --tokens 2T --trained-in Atlantis | 1 | --trained-in: 'Atlantis' is not a place whose grid is known
estimate --base-model gtp-3 --tokens 2T | 1 | --base-model: 'gtp-3' is not a model of the ledger; did you mean 'gpt-3'?
estimate --parameters 7B --tokens 2T --tokens-per-second 1M --days 3 | 1 | --days: follow from the speed and the data
estimate --parameters 7B --tokens 0 | 1 | --tokens: 0 is not above 0
estimate --parameters 7B --tokens 2T --chips 8 --hardware H100 --days=-3 | 1 | --days: -3 is not above 0
estimate --parameters 7B --tokens 2T --days 3 | 1 | --days: needs hardware: what a plan leaves out is forecast only for known chips
estimate --parameters 7B --tokens 2T --overhead 0.9 | 1 | --overhead: 0.9 is less than possible (1)
estimate --base-model t5-11b --steps 10 --batch 65536 | 1 | --batch: 65536 pairs of sequences per step are too many
estimate --parameters 7B --tokens 2T --target-length 8 | 1 | --target-length: needs config or base model
estimate --parameters 7B --tokens 2T --examples 8 | 1 | --tokens: is stated together with examples
estimate --frozen --tokens 2T | 1 | --frozen: needs base model or config or parameters
estimate --chips 8 --days 1 --hardware V100 --precision bf16 | 1 | --precision: NVIDIA V100 SXM2 has no bf16 peak
estimate --chips 8 --days 1 --hardware H100 --published 2012 | 1 | --hardware: NVIDIA H100 SXM5 was released on
estimate --hardware H100 --tokens 4T --chips 512 --parameters 9B..7B | 1 | --parameters: 9B..7B is in descending order; write 7B..9B
estimate --hardware H100 --tokens 4T --chips 512 --parameters 7Bn | 1 | did you mean 7B?
estimate --hardware H100 --tokens 4T --chips 512 --parameters ٣ | 1 | did you mean 3?
estimate --hardware H100 --tokens 4T --chips 512 --parameters 1,5 | 1 | did you mean 1.5?
estimate --hardware H100 --tokens 4T --chips 512 --parameters nan | 1 | 'nan' is not a number
estimate --hardware H100 --tokens 4T --chips 512 --parameters 1e400 | 1 | 1e400 is not a finite number
estimate --hardware H100 --tokens 4T --parameters 13B --chips 512 --days 0.1 | 1 | most likely wrong: 
estimate gpt-3 --tokens 3B | 2 | --tokens: for a model of your own
estimate | 2 | state FILE or MODEL, or figures
estimate --out x.csv | 2 | --from and --out need FILE
estimate gpt-3 --from epoch | 2 | --from and --out go together
estimate gpt-3 --out x.csv | 2 | --from and --out go together
estimate gpt-3 --from nobody --out x.csv | 2 | 'nobody' is not
estimate data/records/hardware/nvidia-k40.yaml | 1 | nvidia-k40.yaml: is not the record of a model; `validate` checks it$
estimate data/records/models | 1 | data/records/models: states no figure of a run; these files do: config.json, adapter_config.json,
estimate gpt-3 --utilization 1.5 | 1 | --utilization: 1.5 is above 1, the peak
estimate gpt-3 --epochs 5e-324 | 1 | --epochs: 5e-324 is less than possible (0.001)
estimate gpt-3 --epochs -1 | 1 | --epochs: -1 is not above 0
estimate gpt-3 --utilization 0.3..0.4 | 1 | --utilization: is a range; suppose one number
estimate gpt-3 --precision bf61 | 1 | did you mean 'bf16'?
estimate gpt-3 --precision bf16 | 1 | has no bf16 peak
estimate gpt-3 --hardware a1000 | 1 | did you mean
estimate lenet-5 --utilization 0.5 | 1 | lenet-5 has no estimate by GPU time
estimate gpt-33 | 1 | did you mean 'gpt-3'?
estimate --config data --tokens 1T | 1 | --config: data is a folder without a config.json$
utilization --family recurent --precision fp16 --hardware V100 | 1 | did you mean 'recurrent'
utilization --family recurrent --precision fp17 --hardware V100 | 1 | did you mean 'fp16'
utilization --family recurrent --precision fp16 --hardware V10 | 1 | did you mean 'nvidia-v100-sxm2'
utilization --family recurrent --precision fp8 --hardware V100 | 1 | has no fp8 peak
utilization --tokens-per-second 61k | 2 | ; `flopledger estimate` has this option, and shows the MFU$
list --sort size | 2 |
list --limit 0 | 2 |
list --limit ten | 2 |
list --columns nmae | 1 | 'nmae' is not a column of the list; did you mean 'name'?$
list --columns , | 1 | --columns ',' names no column; known columns are tier, model_id
list --at-least 1e24 --probability 0.9 | 1 | --at-least 1e24: probabilities are published for 1e23, 1e25, 1e26
list --at-least nan | 2 | 'nan' is not a number
list --at-least -1 | 2 | --at-least -1 is not a number of FLOP
list --at-least 1e25 --probability 90 | 2 | Input should be less than or equal to 1
list --probability 0.9 | 2 | --probability goes with --at-least
list --domain visoin | 1 | 'visoin' is not a domain in the ledger; did you mean 'vision'?$
list --organization Gogle | 1 | did you mean 'Google'?$
list --year 12 | 2 |
list --year 2020 --from-year 2019 | 2 | --year goes without --from-year and --to-year
list --from-year 2021 --to-year 2020 | 2 | is after
show | 2 |
show gpt-33 | 1 | 'gpt-33' is not a model of the ledger; did you mean 'gpt-3'?$
show "; drop table models" | 1 | is not a model of the ledger
explain | 2 |
explain gpt-3 --jason | 2 |
compare gpt-3 | 2 |
compare gpt-3 "Wu Dao 2.0" | 1 | without a record
compare gpt-3 palmm | 1 | 'palmm' is not a model of the ledger; did you mean
hardware a1000 | 1 | is not a chip in the ledger; did you mean
hardware a100 --csv | 2 | --csv is for the list
cite gpt-3 --bibtex --json | 2 | choose
export gpt-3 --eu --out gpt-3.pdf | 1 | ends neither in .json nor in .html
plot --out compute.pdf | 1 | ends in none of .png, .svg, .html
plot --out x.svg --domain langage | 1 | did you mean 'language'
plot --out x.svg --from-year 2020 --to-year 2019 | 2 | is after
plot --out x.svg --domain vision --highlight gpt-3 | 1 | not in the picture: gpt-3
plot --out x.svg --from-year 2039 | 1 | no model with an estimate matches
query "select 1" --csv --json | 2 | choose
disputes | 2 | It is a table: flopledger query "from disputes"$
estimat | 2 |
validate | 2 |
validate data/records/models/gpt-3.yaml data/records/models/opt-175b.yaml --against paper.html | 2 | one record
validate data/records/models/opt-175b.yaml --source paper | 2 | go with --against
count | 2 | state a config.json
count resnet50 --batch 0 | 2 |
count resnet50 --image-size large | 1 | image_size 'large' cannot be read; write 512,
count resnet50 --tokens 2T | 2 | `flopledger estimate` has this option
count data | 1 | data is a folder without a config.json$
verify | 1 | verify has ended; use `
serve | 1 | serve has ended; use `
"""


@pytest.mark.parametrize("case", REFUSED.strip("\n").splitlines())
def test_what_cannot_be_answered_is_one_line_and_leaves_nothing(case, tmp_path):
    words, code, message = f"{case} ".split(" | ")
    done = typed(*shlex.split(words), folder=tmp_path if "--out" in words else ROOT)
    said = " ".join(done.stderr.split())
    assert (done.returncode, done.stdout) == (int(code), "")
    assert said.endswith(message.strip()[:-1]) if message.strip().endswith("$") else message.strip() in said
    assert "Traceback" not in said
    assert code == "2" or done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
