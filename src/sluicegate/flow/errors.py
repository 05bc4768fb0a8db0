"""Errors of the flow room: what went wrong, and what to do about it."""

from __future__ import annotations

from sluicegate.errors import SluicegateError


class FlowError(SluicegateError):
    """Something could not be done under the rules of flow."""

    code = "flow-error"


class LabelError(FlowError):
    """A label is not well formed."""

    code = "label"


class OpaqueValueError(FlowError):
    """A labelled value was used where its content would have shown."""

    code = "opaque-value"


class PolicyError(FlowError):
    """A policy, a project's configuration or a table of expected decisions is wrong."""

    code = "policy"


class CommandError(FlowError):
    """A command cannot be read into an argument vector, or a value cannot fill its hole."""

    code = "command"


class EnvironmentFailure(FlowError):
    """An environment could not be made, or what ran in it could not be carried to its end."""

    code = "environment"


class CredentialError(FlowError):
    """A credential is not configured, may not be fetched, or could not be fetched."""

    code = "credential"


class GuardError(FlowError):
    """A guard is not well formed, or cannot be registered under its name."""

    code = "guard"
