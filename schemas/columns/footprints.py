"""Columns of prices, grids, costs, carbon and water."""

from schemas import vocabulary
from schemas.columns.declared import FLOP, LOG_SD, NOT_NEGATIVE, POSITIVE, Column, any_of, sentences
from schemas.limits import LAST_YEAR

# Cost, carbon and water
price_index = Column("whole number", "Index of a price within its record, from 0.", checks=NOT_NEGATIVE)
price_date = Column("date", "Day of the price; the middle of a month or year.")
price_kind = Column("text", "Whether the chip is bought or rented.", checks=any_of(vocabulary.PriceKind))
price_terms = Column("text", "What the price is for.", checks=any_of(vocabulary.PriceTerms))
price_usd = Column(
    "number", "Price of one chip, or of an hour of it, in US dollars of that day.", unit="usd", checks=POSITIVE
)
vendor = Column("text", "Who offered it.")
prices_number = Column("whole number", "Number of prices of the chip, bought and rented.", checks=NOT_NEGATIVE)
nearest_price_date = Column("date", "Day of the price that is nearest in time, of the kind that the cost rests on.")
began_date = Column(
    "date",
    "Day on which training is taken to have begun: publication, less the days before it, less the time that it took.",
)
server_usd = Column(
    "number",
    "What a chip's share of a server cost on that day, from its prices (methods, section 9).",
    unit="usd",
    checks=POSITIVE,
)
rent_per_hour_usd = Column(
    "number", "What an hour of a chip cost on that day, rented for long.", unit="usd", checks=POSITIVE
)
electricity_usd = Column("number", "Cost of the energy.", unit="usd", checks=POSITIVE)
amortized_usd = Column(
    "number",
    "Chips and their network, amortized over the time that they were used, and electricity.",
    unit="usd",
    checks=POSITIVE,
)
purchase_usd = Column("number", "What buying the chips would cost: servers and network.", unit="usd", checks=POSITIVE)
rent_usd = Column("number", "What renting the chips for that time costs.", unit="usd", checks=POSITIVE)
cost_usd = Column(
    "number",
    "Cost of the compute of training, in US dollars of its time (no inflation): chips amortized, and electricity; else cloud rent. Without staff, data,"
    " trials and failed runs.",
    unit="usd",
    checks=POSITIVE,
    label="Cost",
    form="money",
)
cost_usd_low = Column("number", "5 % point of cost_usd.", unit="usd", checks=POSITIVE)
cost_usd_high = Column("number", "95 % point of cost_usd.", unit="usd", checks=POSITIVE)
cost_log_sd = Column("number", "Standard deviation of the natural logarithm of cost_usd.", checks=LOG_SD)
cost_basis = Column(
    "text",
    "How cost_usd was made; where it is not known, why.",
    checks=any_of(vocabulary.CostBasis),
    label="Cost from",
    words=sentences(vocabulary.CostBasis),
)
place = Column("text", "Country or region of a grid.")
grid_year = Column(
    "whole number",
    "Year of the grid's factor: the newest up to the year of publication.",
    checks={"ge": 1990, "le": LAST_YEAR},
)
grid_g_per_kwh = Column(
    "number",
    "Grams of CO2 equivalent per kWh of a grid's electricity, whoever bought certificates.",
    unit="g_per_kwh",
    checks=POSITIVE,
)
grid_place = Column("text", "Whose grid is taken, places joined by +, whose mean it is.")
grid_basis = Column(
    "text",
    "Whether that place is stated or assumed.",
    checks=any_of(vocabulary.GridBasis),
    words=sentences(vocabulary.GridBasis),
)
co2_kg = Column(
    "number",
    "Greenhouse gases of the electricity of training, CO2 equivalent, by the grid where it was trained.",
    unit="kg",
    checks=POSITIVE,
    label="CO2",
    form="mass",
)
co2_kg_low = Column("number", "5 % point of co2_kg.", unit="kg", checks=POSITIVE)
co2_kg_high = Column("number", "95 % point of co2_kg.", unit="kg", checks=POSITIVE)
co2_log_sd = Column("number", "Standard deviation of the natural logarithm of co2_kg.", checks=LOG_SD)
water_litres = Column("number", "Water that cooling evaporated at the data centre.", unit="litre", checks=POSITIVE)
epoch_flop = Column("number", "Training compute that Epoch gives.", unit="flop", checks=FLOP)
epoch_confidence = Column("text", "Epoch's word for how sure it is of it.", checks=any_of(vocabulary.Confidence))
epoch_cost_usd = Column(
    "number",
    "Cost of training that Epoch gives: chips amortized and energy, in its dollars of 2023.",
    unit="usd",
    checks=POSITIVE,
)
epoch_cloud_usd = Column("number", "Cost of training that Epoch gives for cloud compute.", unit="usd", checks=POSITIVE)
epoch_upfront_usd = Column("number", "Cost of buying the chips that Epoch gives.", unit="usd", checks=POSITIVE)
epoch_chip_hours = Column("number", "Chips times hours of Epoch's table.", unit="chip_hour", checks=POSITIVE)
cost_note = Column("text", "Epoch's note on the cost.")
water_log_sd = Column("number", "Standard deviation of the natural logarithm of water_litres.", checks=LOG_SD)
reported_energy_kwh = Column("number", "Energy of this training as the authors state it.", unit="kwh", checks=POSITIVE)
reported_co2_kg = Column(
    "number", "Greenhouse gases of this training as the authors state them.", unit="kg", checks=POSITIVE
)
trained_in = Column("text", "Where it was trained, as stated.")
