# SPDX-License-Identifier: GPL-2.0-or-later
"""The operators: a walk over one function or table, which yields every edit that makes a mutant.

The same walk finds the points: where a test has been, when it has been at the statement.
"""

from clang.cindex import CursorKind as Kind
from clang.cindex import TokenKind

from . import clang
from .expressions import Expressions, is_boolean
from .source import initialiser

LEAVES = (Kind.RETURN_STMT, Kind.BREAK_STMT, Kind.CONTINUE_STMT, Kind.GOTO_STMT)
LABELS = (Kind.CASE_STMT, Kind.DEFAULT_STMT)


class Walker(Expressions):
    """Walks one part; see walk()."""

    def block(self, node):
        self.ends.append(clang.bounds(node)[1])
        self.statements(node)
        self.ends.pop()

    def statements(self, node):
        self.new_point(clang.bounds(node)[0] + 1)
        children = list(node.get_children())
        for index, child in enumerate(children):
            self.statement(child)
            rest = children[index + 1 :]
            if rest and rest[0].kind not in LABELS and self.may_leave(child):
                self.new_point(clang.bounds(rest[0])[0])

    def may_leave(self, node):
        return any(x.kind in LEAVES for x in node.walk_preorder())

    def nested(self, node):
        """A statement below another: what comes behind it belongs to the point before it."""
        before = self.point
        self.statement(node)
        self.point = before

    def statement(self, node):
        kind = node.kind
        if self.in_macro(node):
            return
        handler = {
            Kind.COMPOUND_STMT: self.block,
            Kind.DECL_STMT: self.declaration,
            Kind.IF_STMT: self.if_statement,
            Kind.WHILE_STMT: self.loop,
            Kind.DO_STMT: self.loop,
            Kind.FOR_STMT: self.for_loop,
            Kind.SWITCH_STMT: self.switch,
            Kind.CASE_STMT: self.label,
            Kind.DEFAULT_STMT: self.label,
            Kind.RETURN_STMT: self.return_statement,
        }.get(kind)
        if handler:
            handler(node)
        elif kind in (Kind.BREAK_STMT, Kind.CONTINUE_STMT):
            self.replace("statement_dropped", node, "(void)0")
        elif kind.is_expression():
            self.drop(node)
            self.expression(node)

    def drop(self, node):
        if clang.core(node).kind in (
            Kind.CALL_EXPR,
            Kind.BINARY_OPERATOR,
            Kind.COMPOUND_ASSIGNMENT_OPERATOR,
            Kind.UNARY_OPERATOR,
        ):
            self.replace("statement_dropped", node, "(void)0")

    def declaration(self, node):
        for variable in node.get_children():
            value = initialiser(variable, self.text) if variable.kind == Kind.VAR_DECL else None
            if value is not None:
                self.value(value, variable.type)

    def value(self, node, kind, context="plain"):
        """An expression that goes into something of a type."""
        if is_boolean(kind):
            self.boolean(node, whole=True)
        else:
            self.expression(node, context)

    def if_statement(self, node):
        condition, *branches = node.get_children()
        self.boolean(condition, whole=True)
        for branch in branches:
            self.nested(branch)

    def loop(self, node):
        """Never without an end: the condition is made false, not true."""
        children = list(node.get_children())
        if node.kind == Kind.DO_STMT:
            children.reverse()
        condition, body = children
        self.condition_of_loop(condition)
        self.nested(body)

    def condition_of_loop(self, node):
        self.boolean(node, whole=False)
        self.replace("condition_false", node, "0")

    def for_loop(self, node):
        """What steps the loop is left alone: without it there is no end."""
        *head, body = node.get_children()
        ends = self.semicolons(node)
        for part in head:
            start = clang.bounds(part)[0]
            if part.kind == Kind.DECL_STMT:
                self.declaration(part)
            elif len(ends) > 1 and ends[0] < start < ends[1]:
                self.condition_of_loop(part)
        self.nested(body)

    def semicolons(self, node):
        """Offsets of the first two; in a declaration the first one is its own end."""
        tokens = (x for x in node.get_tokens() if x.kind == TokenKind.PUNCTUATION)
        return [x.extent.start.offset for x in tokens if x.spelling == ";"][:2]

    def switch(self, node):
        condition, body = node.get_children()
        self.expression(condition)
        before = self.point
        self.ends.append(clang.bounds(body)[1])
        for child in body.get_children():  # nothing runs before the first label
            self.statement(child)
        self.ends.pop()
        self.point = before

    def label(self, node):
        """`case X:` and `default:`, and the statement behind; those of one statement are nested."""
        statement = list(node.get_children())[-1]
        while statement.kind in LABELS:
            statement = list(statement.get_children())[-1]
        self.new_point(clang.bounds(statement)[0])
        self.statement(statement)

    def return_statement(self, node):
        values = list(node.get_children())
        if not values:
            self.replace("statement_dropped", node, "(void)0")
        elif self.part.result in ("bool", "_Bool"):
            self.boolean(values[0], whole=True)
        else:
            self.expression(values[0])


def walk(part):
    """Every edit and every point of a function or table."""
    walker = Walker(part)
    if part.is_table:
        walker.expression(initialiser(part.cursor, part.text))
    else:
        walker.block(next(x for x in part.cursor.get_children() if x.kind == Kind.COMPOUND_STMT))
    return walker.walk
