"""One GraphQL operation: document cache, limits, cost, constraints, deadline. Both doors use it."""

from api.execution.constraints import check_value
from api.execution.executor import Executor
from api.execution.limits import Limits
from api.execution.operation import Operation, Outcome, encode

__all__ = ["Executor", "Limits", "Operation", "Outcome", "check_value", "encode"]
