# SPDX-License-Identifier: GPL-2.0-or-later
"""The operators on expressions: mutations of a condition, a constant, a mask, a field."""

from dataclasses import dataclass, field

from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

from . import clang, replacements

INTEGERS = (
    TypeKind.BOOL,
    TypeKind.CHAR_U,
    TypeKind.UCHAR,
    TypeKind.USHORT,
    TypeKind.UINT,
    TypeKind.ULONG,
    TypeKind.ULONGLONG,
    TypeKind.CHAR_S,
    TypeKind.SCHAR,
    TypeKind.SHORT,
    TypeKind.INT,
    TypeKind.LONG,
    TypeKind.LONGLONG,
    TypeKind.ENUM,
)
NO_CONSTANT = ("NULL",)
BOOLEANS = {"true": "false", "false": "true"}
SETTINGS = ("struct ds_variation",)  # of the emulator: their fields stand for no part of silicon
WHICH = ("display_model",)  # tells which processor it is: another is no broken one


@dataclass
class Edit:
    operator: str
    start: int
    end: int
    text: str
    point: int


@dataclass
class Walk:
    edits: list = field(default_factory=list)
    points: list = field(default_factory=list)  # (where a probe can stand, end of its block)


def is_integer(kind):
    return kind.get_canonical().kind in INTEGERS


def is_boolean(kind):
    return kind.get_canonical().kind == TypeKind.BOOL


class Expressions:
    """Walks the expressions of one part and collects edits."""

    def __init__(self, part):
        self.part, self.macros, self.text = part, part.macros, part.text
        self.walk = Walk()
        self.point = -1
        self.ends = []  # of the blocks around

    # -- small things ---------------------------------------------------------------------------

    def source(self, node):
        start, end = clang.bounds(node)
        return self.text[start:end].decode()

    def edit(self, operator, start, end, text):
        if self.text[start:end].decode() != text:
            self.walk.edits.append(Edit(operator, start, end, text, self.point))

    def replace(self, operator, node, text):
        self.edit(operator, *clang.bounds(node), text)

    def new_point(self, offset):
        self.walk.points.append((offset, self.ends[-1]))
        self.point = len(self.walk.points) - 1

    def in_macro(self, node):
        return self.macros.inside(*clang.bounds(node))

    def token_between(self, left, right):
        """The operator between two operands, as (start, text)."""
        start, end = clang.bounds(left)[1], clang.bounds(right)[0]
        between = self.text[start:end]
        while b"/*" in between:
            first = between.index(b"/*")
            last = between.index(b"*/", first) + 2
            between = between[:first] + b" " * (last - first) + between[last:]
        word = between.strip(b" \t\n()")
        return start + between.index(word), word.decode()

    # -- conditions -----------------------------------------------------------------------------

    def boolean(self, node, whole):
        """whole: it may be true and false instead; else that is done further out."""
        if self.in_macro(node):
            self.constant(node, "plain")
            return
        inner = clang.core(node)
        if whole:
            self.replace("condition_true", node, "1")
            self.replace("condition_false", node, "0")
        if inner.kind == Kind.BINARY_OPERATOR and not self.in_macro(inner):
            left, right = inner.get_children()
            at, token = self.token_between(left, right)
            if token in replacements.LOGICAL:
                self.logical(inner, left, right, at, token)
                return
        if inner.kind == Kind.UNARY_OPERATOR and self.source(inner).startswith("!"):
            self.boolean(next(inner.get_children()), whole=False)
            return
        self.expression(inner)

    def logical(self, node, left, right, at, token):
        self.edit("logical", at, at + len(token), replacements.LOGICAL[token])
        self.replace("operand_dropped", node, self.source(left))
        self.replace("operand_dropped", node, self.source(right))
        self.boolean(left, whole=False)
        self.boolean(right, whole=False)

    # -- expressions ----------------------------------------------------------------------------

    def expression(self, node, context="plain"):
        if self.in_macro(node):
            self.constant(node, context)
            return
        node = clang.core(node)
        if self.in_macro(node):
            self.constant(node, context)
            return
        handler = {
            Kind.BINARY_OPERATOR: self.binary,
            Kind.COMPOUND_ASSIGNMENT_OPERATOR: self.compound,
            Kind.UNARY_OPERATOR: self.unary,
            Kind.CONDITIONAL_OPERATOR: self.conditional,
            Kind.CALL_EXPR: self.call,
            Kind.MEMBER_REF_EXPR: self.member,
            Kind.ARRAY_SUBSCRIPT_EXPR: self.subscript,
            Kind.CSTYLE_CAST_EXPR: self.children,
            Kind.INIT_LIST_EXPR: self.list,
            Kind.COMPOUND_LITERAL_EXPR: self.children,
        }.get(node.kind)
        if handler:
            handler(node, context)
        elif node.kind == Kind.INTEGER_LITERAL or self.is_enumerator(node):
            self.constant(node, context)

    def children(self, node, _):
        for child in node.get_children():
            if child.kind.is_expression():
                self.expression(child)

    def is_enumerator(self, node):
        return node.kind == Kind.DECL_REF_EXPR and (
            node.referenced is not None and node.referenced.kind == Kind.ENUM_CONSTANT_DECL
        )

    def constant(self, node, context):
        start, end = clang.bounds(node)
        text = self.text[start:end].decode()
        name = self.macros.exactly(start, end)
        inner = clang.core(node)
        if text in BOOLEANS:
            self.replace("constant", node, BOOLEANS[text])
        elif self.is_enumerator(inner):
            self.neighbours(inner)
        elif name in NO_CONSTANT or (name is None and self.in_macro(node)):
            return
        elif is_integer(inner.type):
            value = clang.evaluate(inner)
            if value is not None:
                mask = context == "mask" or context == "plain" and self.looks_like_mask(name, text)
                make = replacements.masks if mask else replacements.numbers
                for instead in make(text, value):
                    self.edit("mask" if mask else "constant", start, end, instead)

    def looks_like_mask(self, name, text):
        if name is None:
            return text.startswith("0x") and text.rstrip("uUlL").endswith("f")
        body = self.macros.bodies.get(name)
        words = [x.spelling for x in body.get_tokens()] if body is not None else []
        return "<<" in words or "|" in words or self.looks_like_mask(None, "".join(words[1:]))

    def neighbours(self, node):
        """The enumerators before and behind."""
        own = node.referenced
        names = [x.spelling for x in own.semantic_parent.get_children()]
        at = names.index(own.spelling)
        for other in names[max(at - 1, 0) : at] + names[at + 1 : at + 2]:
            self.replace("constant", node, other)

    def binary(self, node, context):
        left, right = node.get_children()
        at, token = self.token_between(left, right)
        if token == "=":
            self.expression(left, "place")
            self.value(right, left.type)
        elif token in replacements.LOGICAL:
            self.logical(node, left, right, at, token)
        elif token in replacements.RELATIONAL:
            self.relational(left, right, at, token)
        elif token in replacements.ARITHMETIC:
            self.arithmetic(left, right, at, token)
        else:
            self.children(node, context)

    def relational(self, left, right, at, token):
        if is_integer(left.type) and is_integer(right.type):
            for instead in replacements.RELATIONAL[token]:
                self.edit("relational", at, at + len(token), instead)
        self.expression(left, "number")
        self.expression(right, "number")

    def arithmetic(self, left, right, at, token):
        """Beside a constant the operator stays: its neighbours show the same."""
        if all(clang.evaluate(clang.core(x)) is None for x in (left, right)):
            self.edit("arithmetic", at, at + len(token), replacements.ARITHMETIC[token])
        inside = "mask" if token in replacements.MASKING else "number"
        if not (token == "<<" and clang.evaluate(clang.core(left)) == 1):
            self.expression(left, inside if token not in ("<<", ">>") else "plain")
        self.expression(right, inside)

    def compound(self, node, _):
        left, right = node.get_children()
        at, token = self.token_between(left, right)
        if token in replacements.MASKED:
            self.edit("compound_assignment", at, at + len(token), "=")
        self.expression(left, "place")
        self.expression(right, "mask" if token[0] in replacements.MASKING else "number")

    def unary(self, node, context):
        inside = next(node.get_children())
        if self.source(node).startswith("!"):
            self.boolean(inside, whole=False)
        else:
            self.expression(inside, context)

    def conditional(self, node, context):
        condition, *arms = node.get_children()
        self.boolean(condition, whole=True)
        for arm in arms:
            self.expression(arm, context)

    def call(self, node, _):
        arguments = list(node.get_arguments())
        function = node.referenced
        wanted = list(function.get_arguments()) if function is not None else []
        for index, argument in enumerate(arguments):
            kind = wanted[index].type if index < len(wanted) else argument.type
            self.value(argument, kind)

    def member(self, node, context):
        inside = list(node.get_children())
        own = node.referenced
        if own is not None and own.kind == Kind.FIELD_DECL:
            self.other_fields(node, own)
        for child in inside:
            if child.kind.is_expression():
                self.expression(child, context)

    def other_fields(self, node, own):
        """The fields of the same type before and behind."""
        if own.semantic_parent.type.spelling in SETTINGS:
            return
        kind = own.type.get_canonical().spelling
        fields = [
            x
            for x in own.semantic_parent.get_children()
            if x.kind == Kind.FIELD_DECL and x.type.get_canonical().spelling == kind
        ]
        names = [x.spelling for x in fields]
        at, end = names.index(own.spelling), clang.bounds(node)[1]
        for other in names[max(at - 1, 0) : at] + names[at + 1 : at + 2]:
            self.edit("other_field", end - len(own.spelling.encode()), end, other)

    def subscript(self, node, context):
        array, index = node.get_children()
        text = self.source(index)
        self.replace("index", index, f"({text}) ^ 1")
        self.replace("index", index, f"({text}) + 1")
        self.expression(array, context)
        self.expression(index, "number")

    def list(self, node, _):
        if node.type.get_array_element_type().spelling.removeprefix("const ") in WHICH:
            return
        for child in node.get_children():
            inside = list(child.get_children())
            designated = child.kind == Kind.UNEXPOSED_EXPR and self.source(child)[:1] in ".["
            value = inside[-1] if designated else child
            self.element(value)

    def element(self, node):
        if is_boolean(node.type):
            self.boolean(node, whole=True)
        else:
            self.expression(node)
