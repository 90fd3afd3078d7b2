"""Writes the elements of the windows that can be seen, as programs tell them, one JSON object a line."""

import json
import sys
import time

NO_BINDINGS = 3
NO_BUS = 4

max_nodes, max_depth, max_seconds = (int(word) for word in sys.argv[1:])
deadline = time.monotonic() + max_seconds

try:
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi
except (ImportError, ValueError):
    sys.exit(NO_BINDINGS)

STATES = {
    "focused": Atspi.StateType.FOCUSED,
    "checked": Atspi.StateType.CHECKED,
    "selected": Atspi.StateType.SELECTED,
    "expanded": Atspi.StateType.EXPANDED,
    "editable": Atspi.StateType.EDITABLE,
}


class Enough(Exception):
    pass


def describe(node, depth):
    """An element that shows, or None."""
    states = node.get_state_set()
    if depth > 1 and not states.contains(Atspi.StateType.SHOWING):
        return None
    described = {"depth": depth, "role": node.get_role_name(), "name": node.get_name() or ""}
    if depth > 1:
        place = node.get_extents(Atspi.CoordType.SCREEN)
        described["place"] = [place.x, place.y, place.width, place.height]
    described["states"] = [name for name, state in STATES.items() if states.contains(state)]
    return described


def walk(node, depth):
    global max_nodes
    if max_nodes <= 0 or time.monotonic() > deadline:
        raise Enough
    # A program may end, or hang, while it is asked.
    try:
        described = describe(node, depth)
        children = node.get_child_count() if described and depth < max_depth else 0
    except Exception:
        return
    if described is None:
        return
    print(json.dumps(described))
    max_nodes -= 1
    for index in range(children):
        try:
            child = node.get_child_at_index(index)
        except Exception:
            continue
        if child is not None:
            walk(child, depth + 1)


try:
    desktop = Atspi.get_desktop(0)
    count = desktop.get_child_count()
except Exception:
    sys.exit(NO_BUS)

try:
    for index in range(count):
        program = desktop.get_child_at_index(index)
        if program is not None:
            walk(program, 0)
except Enough:
    print(json.dumps({"more": True}))
