"""Words for models, their makers, data and networks."""

from enum import StrEnum

from schemas.vocabulary.wording import Worded


class Domain(StrEnum):
    """Domain of a model's task."""

    LANGUAGE = "language"
    VISION = "vision"
    SPEECH = "speech"
    GAMES = "games"
    IMAGE_GENERATION = "image_generation"
    VIDEO = "video"
    BIOLOGY = "biology"
    MULTIMODAL = "multimodal"
    RECOMMENDATION = "recommendation"
    ROBOTICS = "robotics"
    OTHER = "other"


class OrganizationKind(StrEnum):
    """The kind of organization that trained a model."""

    ACADEMIA = "academia"
    INDUSTRY = "industry"
    GOVERNMENT = "government"
    COLLECTIVE = "collective"
    MIXED = "mixed"


class DatePrecision(StrEnum):
    """The precision of a date."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class WeightsAccess(StrEnum):
    """Access to a model's weights."""

    OPEN = "open"  # anyone may download them for any use
    RESTRICTED = "restricted"  # only for research or non-commercial use, for small companies, or on request
    CLOSED = "closed"  # not released, or only behind an interface


class Scope(Worded):
    """The scope of a record: every network that the named result needs, without trials, or a published search."""

    SINGLE = "single", ""  # one network
    JOINT_NETWORKS = "joint_networks", "of all networks trained together"  # several networks that work together
    POPULATION = "population", "of all agents of the population"  # trained together; the named agent is one of them
    ENSEMBLE = "ensemble", "of all members of the ensemble"  # networks whose answers are averaged
    SEARCH = "search", "with the trials of the search"  # the trials of a published search for a network
    TEACHER_INCLUDED = "teacher_included", "with the training of its teacher"  # a student, with its teacher


class Accounting(Worded):
    """The kind of training work in a phase, which decides whether totals include it."""

    PRETRAINING = "pretraining", "pre-training"  # training from new weights, with everything that it needs
    CONTINUED = "continued", "continued pre-training"  # on more data, longer sequences or another kind of data
    FINE_TUNING = "fine_tuning", "fine-tuning"
    DATA_PREPARATION = "data_preparation", "preparing the data"  # networks that chose, aligned or labelled the data
    SYNTHETIC_DATA = "synthetic_data", "making synthetic data"  # generating the data
    # Includes sampling the experience.
    REINFORCEMENT_LEARNING = "reinforcement_learning", "reinforcement learning"
    DISTILLATION_TEACHER = "distillation_teacher", "training a teacher"
    SEARCH = "search", "the search for the architecture"

    def words_of(self, phase: str) -> str:
        """Return the words for a phase; one from new weights that is named `training` trains for the task itself."""
        return "training" if self == Accounting.PRETRAINING and phase == "training" else self.words


class ThresholdTotal(Worded):
    """The total that is compared with a legal threshold."""

    CUMULATIVE_FLOP = (
        "cumulative_flop",
        "the cumulative total: base models and everything that its record names as a contribution",
        "cumulative total",
    )
    TRAINING_FLOP = (
        "training_flop",
        "the training of this model and of any base models; other contributions, such as distillation, are unknown"
        " and could push the total higher",
        "training compute",
    )


class TotalState(Worded):
    """What is known of the parts of a model's total: its own training and that of its base models."""

    KNOWN = "known", "every part is known"
    BASE_ASSUMED = "base_assumed", "that it is made from this base is our inference"
    OWN_IMPUTED = "own_imputed", "its own training is not stated, and taken as in similar models"
    AT_LEAST = "at_least", "a part is not known; the others are a lower bound"
    UNKNOWN = "unknown", "no part is known"


class AddedKind(StrEnum):
    """What was added to a base model."""

    TUNING = "tuning"
    CONTINUED = "continued"
    ANY = "any"


class ExampleUnit(StrEnum):
    """The unit of one example in a phase."""

    TOKEN = "token"
    WORD = "word"
    TEXT_SEQUENCE = "text_sequence"
    SENTENCE_PAIR = "sentence_pair"
    IMAGE = "image"
    IMAGE_CROP = "image_crop"
    FRAME = "frame"
    SECOND_OF_AUDIO = "second_of_audio"
    AUDIO_CLIP = "audio_clip"
    GAME_POSITION = "game_position"
    PROTEIN_SEQUENCE = "protein_sequence"
    MOLECULE = "molecule"
    VIDEO_CLIP = "video_clip"
    INTERACTION = "interaction"
    PATTERN = "pattern"


KINDS_OF_EXAMPLES = {  # kinds of examples that each unit may count
    **dict.fromkeys((ExampleUnit.TOKEN, ExampleUnit.TEXT_SEQUENCE), {"text", "molecule"}),  # residues, nucleotides
    **dict.fromkeys((ExampleUnit.WORD, ExampleUnit.SENTENCE_PAIR), {"text"}),
    **dict.fromkeys((ExampleUnit.IMAGE, ExampleUnit.IMAGE_CROP), {"image"}),
    ExampleUnit.PATTERN: {"image", "molecule"},
    **dict.fromkeys((ExampleUnit.SECOND_OF_AUDIO, ExampleUnit.AUDIO_CLIP), {"audio"}),
    ExampleUnit.FRAME: {"audio", "video"},
    ExampleUnit.VIDEO_CLIP: {"video"},
    **dict.fromkeys((ExampleUnit.GAME_POSITION, ExampleUnit.INTERACTION), {"game"}),
    **dict.fromkeys((ExampleUnit.PROTEIN_SEQUENCE, ExampleUnit.MOLECULE), {"molecule"}),
}
KINDS_OF_DOMAINS = {  # kinds of examples per domain; other domains may have any kind
    Domain.LANGUAGE: {"text"}, Domain.VISION: {"image"}, Domain.SPEECH: {"audio"}, Domain.GAMES: {"game"},
    Domain.IMAGE_GENERATION: {"image", "text"}, Domain.VIDEO: {"video", "image", "text"}, Domain.BIOLOGY: {"molecule"},
}  # fmt: skip
TEXT_UNITS = (ExampleUnit.TOKEN, ExampleUnit.WORD, ExampleUnit.TEXT_SEQUENCE, ExampleUnit.SENTENCE_PAIR)


class ParameterNetwork(StrEnum):
    """Networks that use each parameter once per token or step, so that 2 x parameters estimates the operations."""

    DECODER_ONLY = "decoder_only"
    ENCODER_ONLY = "encoder_only"
    RECURRENT = "recurrent"


class Network(Worded):
    """The family of the network that a measurement timed."""

    DENSE_CONVOLUTION = "dense_convolution", "dense convolutional networks"
    DEPTHWISE_CONVOLUTION = "depthwise_convolution", "networks of depthwise convolutions"
    RECURRENT = "recurrent", "recurrent networks"
    LANGUAGE_TRANSFORMER = "language_transformer", "language transformers"
    OTHER_TRANSFORMER = "other_transformer", "other transformers"


# Common names for these families of networks.
NETWORK_NAMES: dict[str, str] = {
    name: network.value
    for network, names in {
        Network.DENSE_CONVOLUTION: "cnn convolution alexnet vgg resnet resnext inception densenet unet",
        Network.DEPTHWISE_CONVOLUTION: "depthwise mobilenet efficientnet xception convnext",
        Network.RECURRENT: "rnn lstm gru seq2seq",
        Network.LANGUAGE_TRANSFORMER: "llm language_model gpt llama bert t5 transformer_decoder transformer_encoder"
        " transformer_encoder_decoder",
        Network.OTHER_TRANSFORMER: "vit vision_transformer deit swin whisper evoformer diffusion_transformer",
    }.items()
    for name in [*names.split(), network.value]
}


class KeySystem(StrEnum):
    """A system that assigns keys to models."""

    HUGGING_FACE = "hugging_face"
    EPOCH = "epoch"  # a Model cell of its tables
    EPOCH_VERSION = "epoch_version"  # id_model_version in its table of benchmarked models, on which its index joins
    OPENROUTER = "openrouter"
    MODELS_DEV = "models_dev"
    OLLAMA = "ollama"


class KeyRelation(StrEnum):
    """The relation of a name or key to a model in the ledger."""

    SAME = "same"
    VARIANT = "variant"  # a model tuned from it
    QUANTIZATION = "quantization"  # its weights, quantized
    MODE = "mode"  # the same model, asked to think more or less
