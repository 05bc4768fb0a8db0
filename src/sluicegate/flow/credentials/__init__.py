"""Credentials by sealed path: from where they are kept into the environment of one child, and nowhere else.

``sources`` reads what a policy writes (``keychain:service/account``, ``env:NAME``, ``op://vault/item/field``),
``stores`` fetches, ``sealed`` is what travels in between.
"""

from sluicegate.flow.credentials.sealed import Sealed, check_variable
from sluicegate.flow.credentials.sources import Keychain, OnePassword, Source, Variable, parse_source
from sluicegate.flow.credentials.stores import Stores

__all__ = [
    "Keychain",
    "OnePassword",
    "Sealed",
    "Source",
    "Stores",
    "Variable",
    "check_variable",
    "parse_source",
]
