"""Every model and layer by its name."""

from peer_layers import LAYERS
from peer_models import MODELS, OTHERS, SMALL

ALL = {**MODELS, **SMALL, **OTHERS, **LAYERS}
