"""Columns that name models, makers and chips; of facts, their sources and quotes."""

from schemas import vocabulary
from schemas.columns.declared import Column, day, flag, identifier, index, one_of
from schemas.limits import FIRST_YEAR, LAST_YEAR

# Identity
model_id = identifier("Permanent id of a model: the file name of its record.", label="Id", form="verbatim")
part_id = identifier("Id of a model whose training is part of this one's: itself or a base model.")
base_model = identifier("Id of the model that this one was fine-tuned from.", label="Base model", form="verbatim")
name = Column(
    "text", "Name as written in its publication, or in the table that is adjudicated.", label="Model", form="verbatim"
)
aliases = Column("text", "Other names of a model or chip, joined by |.")
organization = Column("text", "Organization that trained the model.", label="Organization", form="verbatim")
organization_kind = one_of(vocabulary.OrganizationKind, "Academia, industry, government, collective or mixed.")
parent_organization = Column(
    "text",
    "Who owned the organization on the day of publication, the organization itself where it had no owner or has no record,"
    " joined by + for several.",
    label="Parent organization",
    form="verbatim",
)
organization_id = identifier("Permanent id of an organization: the file name of its record.")
parent_organization_id = identifier("Id of the organization that owns it, or of which it is a part.")
since = day("Day, month or year since which it is so.")
country = Column(
    "text",
    "Country of the organization in the words of Epoch's table, joined by + for several organizations.",
    label="Country",
    form="verbatim",
)
published = day("Date of first publication: year, year-month or year-month-day.", label="Published", form="day")
published_date = Column("date", "Middle of the year, month or day of first publication, for axes and for sorting.")
published_precision = one_of(vocabulary.DatePrecision, "How far the date of first publication is known.")
published_year = Column("whole number", "Year of first publication.", checks={"ge": FIRST_YEAR, "le": LAST_YEAR})
domain = one_of(vocabulary.Domain, "Domain of the model's task.", label="Domain")
scope = one_of(
    vocabulary.Scope,
    "What the record covers: one network, all those that the named result needs, or a published search for it.",
    label="What the record covers",
)
scope_note = Column("text", "Which networks, members or trials the record covers.")
weights_access = one_of(
    vocabulary.WeightsAccess,
    "Whether the weights can be downloaded: by anyone, under limits (research or non-commercial use, a size of company, on request), or not.",
    label="Weights",
)
source_url = Column(
    "text", "Address of the publication: of the record's first source by the authors, else of its first official one."
)
epoch_name = Column(
    "text",
    "The exact Model cell of the same model in Epoch AI's table of notable models, data/snapshots/epoch_notable.csv.",
)
manufacturer = Column("text", "Manufacturer of the chip.")
sources = Column("text", "Addresses of the sources of a record (titles where there is none), joined by |.")

# Facts and sources
record_kind = Column(
    "text",
    "Folder of the record: models, organizations, hardware, defaults, measurements, gold_runs, hardware_prices, grid_factors, errata, adjudications, second_readings.",
)
record_id = Column(
    "text", "File name of the record without its ending.", checks={"str_matches": r"^[a-z0-9]+([-_][a-z0-9]+)*$"}
)
is_retired = flag("Whether the id is no longer in use; it is never given to anything else.")
replaced_by = identifier("The id that replaces a retired one.")
former_ids = Column("text", "Earlier ids of the record, joined by |.")
path = Column("text", "Path of the fact in its record, such as training[0].hardware[0].chip.")
looked_in = Column("text", "Sources of the record in which the fact was looked for, joined by |.")
would_settle = Column("text", "What would settle the fact, such as code that its authors have not released.")
written = Column("text", "The fact's value as written in the record, with its unit.")
amount = Column("number", "The fact as a number of `unit`; the geometric mean of a range; the stated end of a bound.")
bound = one_of(vocabulary.Bound, "Which end of a range the source states, where it states one end alone.")
unit = Column("text", "Unit of `amount`.")
stated_by = Column(
    "text", "Who states a model's size and training where its makers state none of it: kinds of sources, joined by +."
)
training_evidence = one_of(
    vocabulary.Evidence,
    "Weakest evidence among the facts of a model's phases: data, epochs, chips and time.",
    label="Evidence of training facts",
)
network_evidence = one_of(
    vocabulary.Evidence,
    "Weakest evidence among the numbers of a model's network, or of the one figure used in its place.",
    label="Evidence of the network",
)
evidence = one_of(
    vocabulary.Evidence,
    "How the fact was seen: quoted, table or unseen; assumed where it was not; stated_by_user in records of one's own.",
)
source = Column("text", "Key of the source within its record.")
text = Column("text", "The words of the source that state the fact, verbatim, at most 25.")
found_at = Column(
    "text", "Copy in which the words were read: an address, github:owner/repository@commit:path, or github-copy:N."
)
read_in = one_of(vocabulary.ReadIn, "In what the words were read.")
place_result = one_of(vocabulary.PlaceResult, "Whether the words stand at their place in a public repository.")
checked_on = day("Day on which the words were looked for.")
locator = Column("text", "Place of the words in their source, such as a section, table or page.")
quote_index = index("Index of the quote among those of its fact, from 0.")
via = Column("text", "The table and row that cites the source.")
derived = Column("text", "The number words in the text, or the arithmetic from its figures to the value.")
assumptions = Column(
    "text", "Names of the record's assumptions that the arithmetic uses, joined by +; its other factors were seen."
)
assumption_reasons = Column("text", "The values of these assumptions and the reason of each.")
note = Column("text", "A remark of the record.")
source_kind = one_of(vocabulary.SourceKind, "Whose words a source of a model holds.")
title = Column("text", "Title of a source.")
url = Column("text", "Address of a source.")
source_year = Column("whole number", "Year of a source.", checks={"ge": 1900, "le": LAST_YEAR})
