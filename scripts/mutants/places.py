# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where the RTL can be mutated, and to what: slang elaborates the unit, and every expression and assignment of it that
is worked out at run time is a place.

Not mutated: declarations, widths, parameters, ranges, bounds of loops, clocks, assertions. A loop's variable counts as
a constant: each turn of it is hardware of its own.
"""

import re
from dataclasses import dataclass

import pyslang
from pyslang import ast, syntax

LANES = 4

BINARY = ast.BinaryOperator
OTHER_OPERATORS = {
    BINARY.Add: ["-"],
    BINARY.Subtract: ["+"],
    BINARY.Multiply: ["+"],
    BINARY.BinaryAnd: ["|", "^"],
    BINARY.BinaryOr: ["&", "^"],
    BINARY.BinaryXor: ["|", "&"],
    BINARY.Equality: ["!="],
    BINARY.Inequality: ["=="],
    BINARY.LessThan: ["<=", ">", ">="],
    BINARY.LessThanEqual: ["<", ">", ">="],
    BINARY.GreaterThan: [">=", "<", "<="],
    BINARY.GreaterThanEqual: [">", "<", "<="],
    BINARY.LogicalAnd: ["||"],
    BINARY.LogicalOr: ["&&"],
    BINARY.LogicalShiftLeft: [">>"],
    BINARY.LogicalShiftRight: ["<<"],
}
# Of these an operand alone is a mutation as well.
DROPS_OPERANDS = {
    BINARY.Add, BINARY.Subtract, BINARY.BinaryAnd, BINARY.BinaryOr, BINARY.BinaryXor, BINARY.LogicalAnd,
    BINARY.LogicalOr,
}
# A variable, or a part of one.
SELECTS = (
    ast.NamedValueExpression, ast.MemberAccessExpression, ast.ElementSelectExpression, ast.RangeSelectExpression,
)
CLOCKS = ("clk_i", "rst_ni")
SHIFTS = {BINARY.LogicalShiftLeft, BINARY.LogicalShiftRight}


@dataclass(frozen=True)
class Place:
    """Bytes of a file: an expression, or an assignment with its semicolon."""

    file: str
    start: int
    end: int
    is_statement: bool


def elaborate(files):
    """The unit at LANES lanes."""
    options = ast.CompilationOptions()
    options.topModules = {"lsu"}
    options.paramOverrides = [f"LANES={LANES}"]
    compilation = ast.Compilation(pyslang.Bag([options]))
    for file in files:
        compilation.addSyntaxTree(syntax.SyntaxTree.fromFile(str(file)))
    errors = [diagnostic for diagnostic in compilation.getAllDiagnostics() if diagnostic.isError()]
    if errors:
        raise ValueError(pyslang.DiagnosticEngine.reportAll(compilation.sourceManager, errors))
    return compilation


class Finder:
    """Walks the elaborated unit. `found` maps each place to what may stand there instead."""

    def __init__(self, files, texts):
        self.texts = texts
        self.found = {}
        self.loop_variables = set()
        self.assigned = {}
        self.compilation = elaborate(files)
        self.called = {}
        root = self.compilation.getRoot()
        root.visit(self.loops)
        for top in root.topInstances:
            top.visit(self.node)

    # What is walked
    # --------------
    def loops(self, node):
        if isinstance(node, ast.ForLoopStatement):
            self.loop_variables.update(key(variable) for variable in node.loopVars)

    def node(self, node):
        """The visitor: what is not named here has nothing of its own to mutate, but its parts may."""
        skip = pyslang.ast.VisitAction.Skip
        # A function is walked from where it is called: of some, hardware alone has a caller.
        if isinstance(node, (ast.ParameterSymbol, ast.Type, ast.TimingControl, ast.SubroutineSymbol)):
            return skip
        if isinstance(node, ast.CallExpression) and not node.isSystemCall and key(node.subroutine) not in self.called:
            self.called[key(node.subroutine)] = node.subroutine
            node.subroutine.body.visit(self.node)
        if isinstance(node, ast.VariableSymbol) and key(node) in self.loop_variables:
            return skip
        if isinstance(node, ast.ForLoopStatement):
            node.body.visit(self.node)
            return skip
        if isinstance(node, ast.ExpressionStatement) and isinstance(node.expr, ast.AssignmentExpression):
            if self.may_go(node.expr):
                self.offer(node, "dropped assignment", [""], is_statement=True)
            return None
        if isinstance(node, ast.ConditionalStatement):
            for condition in node.conditions:
                self.condition(condition.expr)
            return None
        if isinstance(node, ast.Expression):
            return self.expression(node)
        return None

    def expression(self, node):
        skip = pyslang.ast.VisitAction.Skip
        if isinstance(node, ast.AssignmentExpression):
            self.targets(node.left)
            # Of `a |= b` the right side is `a | b`, of an output port nothing.
            right = node.right.right if node.isCompound else node.right
            if not isinstance(right, ast.EmptyArgumentExpression):
                right.visit(self.node)
            return skip
        if isinstance(node, ast.ConversionExpression) and node.isImplicit:
            return None
        if self.constant(node):
            self.constants(node)
            return skip
        if isinstance(node, SELECTS):
            self.value(node)
            self.targets(node)
            return skip
        if isinstance(node, ast.ReplicationExpression):
            node.concat.visit(self.node)
            return skip
        if isinstance(node, ast.BinaryExpression):
            self.binary(node)
        elif isinstance(node, ast.UnaryExpression) and node.op in (
            ast.UnaryOperator.BitwiseNot, ast.UnaryOperator.LogicalNot,
        ):
            self.offer(node, "complement", [self.text(node.operand)])
        elif isinstance(node, ast.ConditionalExpression):
            left, right = self.text(node.left), self.text(node.right)
            when = self.text(node.conditions[0].expr)
            self.offer(node, "condition", [left, right, f"({when}) ? ({right}) : ({left})"])
        elif isinstance(node, ast.InsideExpression):
            self.offer(node, "complement", [f"!({self.text(node)})"])
        return None

    def targets(self, node):
        """Of a variable, or a part of one, the numbers of the elements that it names."""
        while isinstance(node, SELECTS[1:]):
            if isinstance(node, ast.ElementSelectExpression):
                node.selector.visit(self.node)
            elif isinstance(node, ast.RangeSelectExpression) and node.selectionKind != ast.RangeSelectionKind.Simple:
                node.left.visit(self.node)
            node = node.value

    # What may stand there instead
    # ----------------------------
    def condition(self, node):
        if not self.constant(node):
            self.offer(node, "condition", [f"!({self.text(node)})", "1'b0", "1'b1"])

    def binary(self, node):
        left, right = self.text(node.left), self.text(node.right)
        others = [f"({left}) {operator} ({right})" for operator in OTHER_OPERATORS.get(node.op, [])]
        self.offer(node, "operator", others)
        if node.op in DROPS_OPERANDS:
            self.offer(node, "dropped operand", [left, right])
        elif node.op in SHIFTS:
            self.offer(node, "dropped operand", [left])

    def constants(self, node):
        """A constant off by one; of an enumeration, another name; of one bit, or of all, the others."""
        width, text = node.type.bitWidth, self.text(node)
        if isinstance(node, ast.UnbasedUnsizedIntegerLiteral):
            self.offer(node, "constant", ["'1" if text == "'0" else "'0"])
        elif isinstance(node, ast.NamedValueExpression) and node.symbol.kind == ast.SymbolKind.EnumValue:
            names = [value.name for value in node.type.canonicalType]
            self.offer(node, "constant", [name for name in names if name != node.symbol.name])
        elif node.type.isIntegral and width == 1:
            self.offer(node, "constant", [f"!({text})"])
        elif node.type.isIntegral and not isinstance(node, ast.CallExpression):
            operators = "+" if re.fullmatch(r"(\d*'.)?0", text) else "+-"
            self.offer(node, "constant", [f"({text}) {operator} {width}'d1" for operator in operators])

    def value(self, node):
        """A variable or a part of one: its complement, or that part of another variable or field of the same type."""
        root = root_of(node)
        if root is None or root.symbol.name in CLOCKS:
            return
        text = self.text(node)
        if node.type.isIntegral and not node.type.isEnum and not node.type.isStruct:
            self.offer(node, "complement", [("!" if node.type.bitWidth == 1 else "~") + text])
        others = [other for other in root.symbol.parentScope if same(other, root.symbol) and self.known(other, node)]
        puts = [other.name + text[len(root.symbol.name) :] for other in others]
        if isinstance(node, ast.MemberAccessExpression):
            fields = [field for field in node.value.type.canonicalType if same(field, node.member)]
            puts += [text[: -len(node.member.name)] + field.name for field in fields]
        self.offer(node, "other value", puts)

    # Small questions
    # ---------------
    def offer(self, node, kind, puts, is_statement=False):
        location = node.sourceRange.start
        file = self.compilation.sourceManager.getFileName(location)
        start, end = location.offset, node.sourceRange.end.offset
        # `.name` connects a port without an expression.
        if self.texts[file][start - 1] == ".":
            return
        known = self.found.setdefault(Place(file, start, end, is_statement), [])
        known += [(kind, put) for put in puts if (kind, put) not in known]

    def text(self, node):
        span = node.sourceRange
        return self.texts[self.compilation.sourceManager.getFileName(span.start)][span.start.offset : span.end.offset]

    def constant(self, node):
        """Whether it is the same at every time: of literals, parameters and variables of loops."""
        varies = []

        def look(part):
            if isinstance(part, ast.CallExpression) and not part.isSystemCall:
                varies.append(part)
            if isinstance(part, (ast.NamedValueExpression, ast.HierarchicalValueExpression)):
                kind = part.symbol.kind
                if kind not in (ast.SymbolKind.Parameter, ast.SymbolKind.EnumValue, ast.SymbolKind.Genvar):
                    if key(part.symbol) not in self.loop_variables:
                        varies.append(part)

        node.visit(look)
        return not varies

    def may_go(self, assignment):
        """Whether there is hardware without it: what nothing else sets in every case is a latch, or undefined."""
        root = root_of(assignment.left)
        if assignment.isNonBlocking or root is None or root.symbol.initializer is not None:
            return True
        first = self.assigned.setdefault(key(root.symbol), assignment)
        return first is not assignment and always(first.syntax)

    def known(self, other, node):
        """Whether a variable may stand here: it is declared above."""
        if other.name in CLOCKS or key(other) in self.loop_variables:
            return False
        return other.location.offset < node.sourceRange.start.offset


def root_of(node):
    """The variable of which this is a part."""
    while isinstance(node, SELECTS[1:]):
        node = node.value
    return node if isinstance(node, ast.NamedValueExpression) else None


def always(node):
    """Whether what stands here happens in every run of its block, or of a loop in it."""
    branches = (syntax.ConditionalStatementSyntax, syntax.CaseStatementSyntax)
    while node is not None:
        if isinstance(node, branches):
            return False
        node = node.parent
    return True


def key(symbol):
    return symbol.name, symbol.location.buffer.id, symbol.location.offset


def same(other, one):
    """Whether another variable, argument or field has the same type."""
    kinds = (ast.SymbolKind.Variable, ast.SymbolKind.Net, ast.SymbolKind.FormalArgument, ast.SymbolKind.Field)
    return other.kind in kinds and other.name != one.name and str(other.type) == str(one.type)


def find(files, texts):
    """All places, in the order of the files, each with what may stand there instead."""
    found = Finder(files, texts).found
    order = {str(file): number for number, file in enumerate(files)}
    return sorted(
        ((place, puts) for place, puts in found.items() if puts),
        key=lambda item: (order[item[0].file], item[0].start, item[0].end),
    )
