"""Columns of prices, grids, costs, carbon and water."""

from schemas import vocabulary
from schemas.columns.declared import Column, deviation, flop, index, one_of, positive, sentences, usd
from schemas.limits import LAST_YEAR

# Cost, carbon and water
price_index = index("Index of a price within its record, from 0.")
price_date = Column("date", "Day of the price; the middle of a month or year.")
price_kind = one_of(vocabulary.PriceKind, "Whether the chip is bought or rented.")
price_terms = one_of(vocabulary.PriceTerms, "What the price is for.")
price_usd = usd("Price of one chip, or of an hour of it, in US dollars of that day.")
vendor = Column("text", "Who offered it.")
prices_number = index("Number of prices of the chip, bought and rented.")
nearest_price_date = Column("date", "Day of the price that is nearest in time, of the kind that the cost rests on.")
began_date = Column(
    "date",
    "Day on which training is taken to have begun: publication, less the days before it, less the time that it took.",
)
server_usd = usd("What a chip's share of a server cost on that day, from its prices (methods, section 9).")
rent_per_hour_usd = usd("What an hour of a chip cost on that day, rented for long.")
electricity_usd = usd("Cost of the energy.")
amortized_usd = usd("Chips and their network, amortized over the time that they were used, and electricity.")
purchase_usd = usd("What buying the chips would cost: servers and network.")
rent_usd = usd("What renting the chips for that time costs.")
cost_usd = usd(
    "Cost of the compute of training, in nominal US dollars: chips amortized, and electricity; else cloud rent. Without staff, data,"
    " trials and failed runs.",
    label="Cost",
    form="money",
)
cost_usd_low = usd("5 % point of cost_usd.")
cost_usd_high = usd("95 % point of cost_usd.")
cost_log_sd = deviation("Standard deviation of the natural logarithm of cost_usd.")
cost_basis = one_of(
    vocabulary.CostBasis,
    "How cost_usd was made; where it is not known, why.",
    label="Cost from",
    words=sentences(vocabulary.CostBasis),
)
place = Column("text", "Country or region of a grid.")
grid_year = Column(
    "whole number",
    "Year of the grid's factor: the newest up to the year of publication.",
    checks={"ge": 1990, "le": LAST_YEAR},
)
grid_g_per_kwh = positive(
    "Grams of CO2 equivalent per kWh of a grid's electricity, whoever bought certificates.", unit="g_per_kwh"
)
grid_place = Column("text", "Whose grid is taken, places joined by +, whose mean it is.")
grid_basis = one_of(
    vocabulary.GridBasis, "Whether that place is stated or assumed.", words=sentences(vocabulary.GridBasis)
)
co2_kg = positive(
    "Greenhouse gases of the electricity of training, CO2 equivalent, by the grid where it was trained.",
    unit="kg",
    label="CO2",
    form="mass",
)
co2_kg_low = positive("5 % point of co2_kg.", unit="kg")
co2_kg_high = positive("95 % point of co2_kg.", unit="kg")
co2_log_sd = deviation("Standard deviation of the natural logarithm of co2_kg.")
water_litres = positive("Water that cooling evaporated at the data centre.", unit="litre")
epoch_flop = flop("Training compute that Epoch gives.")
epoch_confidence = one_of(vocabulary.Confidence, "Epoch's word for how sure it is of it.")
epoch_cost_usd = usd("Cost of training that Epoch gives: chips amortized and energy, in its dollars of 2023.")
epoch_cloud_usd = usd("Cost of training that Epoch gives for cloud compute.")
epoch_upfront_usd = usd("Cost of buying the chips that Epoch gives.")
epoch_chip_hours = positive("Chips times hours of Epoch's table.", unit="chip_hour")
cost_note = Column("text", "Epoch's note on the cost.")
water_log_sd = deviation("Standard deviation of the natural logarithm of water_litres.")
reported_energy_kwh = positive("Energy of this training as the authors state it.", unit="kwh")
reported_co2_kg = positive("Greenhouse gases of this training as the authors state them.", unit="kg")
trained_in = Column("text", "Where it was trained, as stated.")
