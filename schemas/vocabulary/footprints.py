"""Words for prices, costs and grids."""

from schemas.vocabulary.wording import Worded


class PriceTerms(Worded):
    """The terms of a chip's price: what it covers."""

    CHIP = "chip", "the chip alone, bought"
    SERVER = "server", "its share of a server, bought"
    LIST = "list", "an hour on demand, from a provider that discounts commitments"
    ONE_YEAR = "one_year", "an hour, committed for one year"
    THREE_YEARS = "three_years", "an hour, committed for three years"
    MARKET = "market", "an hour on demand, from a provider without such discounts"


class PriceKind(Worded):
    """The kind of a price: for buying a chip or for renting it."""

    PURCHASE = "purchase", "bought"
    RENT = "rent", "rented by the hour"


class CostBasis(Worded):
    """The method by which the cost was estimated, or the reason why it was not."""

    AMORTIZED = "amortized", "amortized chips plus electricity"
    CLOUD_RENT = "cloud_rent", "cloud rent"
    AMORTIZED_AND_RENT = (
        "amortized + cloud_rent",
        "amortized chips plus electricity, and cloud rent for chips without a purchase price",
    )
    NO_CHIP_TIME = "no_chip_time", "unknown: not all of the chip time is known"
    CHIP_UNKNOWN = "chip_unknown", "unknown: the chip is not known"
    NEVER_PRICED = "never_priced", "unknown: no price of the chip is known"
    NO_POWER = "no_power", "unknown: neither the chip's power nor a rental price is known"
    BEFORE_FIRST_PRICE = "before_first_price", "unknown: trained before the first known price of the chip"


class GridBasis(Worded):
    """The basis on which the grid was chosen."""

    STATED = "stated", "where it was trained, as stated"
    OPERATOR_COUNTRY = "operator_country", "assumed: the countries of its makers"
    WORLD = "world", "assumed: the world's mean, because no country is known"
    NO_GRID = "no_grid", "unknown: no emission factor is known for the place in that year"


class OverheadBasis(Worded):
    """The data centres whose overhead is used."""

    STATED = "stated", "stated"
    CHIP_MAKER = "chip_maker", "assumed: those of the chip's maker"
    OPERATOR = "operator", "those of its makers"
    USUAL = "usual", "usual in that year"
