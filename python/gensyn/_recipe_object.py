"""What the objects of a recipe have in common."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar


@dataclasses.dataclass
class RecipeObject:
    """An object of a recipe; `kind` is the name of the class unless the class says otherwise."""

    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        if "kind" not in cls.__dict__:
            cls.kind = cls.__name__

    def as_dict(self) -> dict[str, Any]:
        """Returns the object of JSON, without the fields that are None."""
        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {"kind": self.kind, **{name: value for name, value in given.items() if value is not None}}
