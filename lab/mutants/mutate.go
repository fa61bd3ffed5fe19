package mutants

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mutant is one mistake: text that takes the place of some bytes of a file.
type mutant struct {
	ID     string // file, function, kind of mistake and its number there
	Hash   string // of the function's text, to notice that it has changed
	rank   uint64 // its place in the order in which samples are drawn
	pkg    *pkg
	path   string // of the file
	from   int    // bytes of the file
	to     int
	text   string
	line   int
	change string // for people
}

// apply returns the source with the mistake in it.
func (m *mutant) apply(src []byte) []byte {
	return []byte(string(src[:m.from]) + m.text + string(src[m.to:]))
}

// swaps lists, for each operator, what takes its place.
func swaps() map[token.Token][]token.Token {
	return map[token.Token][]token.Token{
		token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
		token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
		token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
		token.LAND: {token.LOR}, token.LOR: {token.LAND},
		token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
		token.AND: {token.OR}, token.OR: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
		token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
		token.INC: {token.DEC}, token.DEC: {token.INC},
	}
}

// kindOf names the kind of an operator, by which mistakes are named.
func kindOf(op token.Token) string {
	switch op.Precedence() {
	case 1, 2:
		return "logic"
	case 3:
		return "compare"
	}
	return "arith"
}

// mutator collects the mutants of one function.
type mutator struct {
	path, fn, hash string
	src            []byte
	file           *token.File
	count          map[string]int
	last           map[ast.Stmt]bool // the last statements of functions
	list           []mutant
}

// mutate lists the mutants of a file.
func mutate(path string, src []byte) ([]mutant, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, path, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("reading the source to change: %w", err)
	}
	var list []mutant
	for _, decl := range parsed.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		file := set.File(fn.Pos())
		sum := sha256.Sum256(src[file.Offset(fn.Pos()):file.Offset(fn.End())])
		m := mutator{
			path: path, fn: nameOf(fn), hash: hex.EncodeToString(sum[:6]), src: src, file: file,
			count: map[string]int{}, last: map[ast.Stmt]bool{},
		}
		m.ends(fn.Body)
		ast.Inspect(fn.Body, m.visit)
		list = append(list, m.list...)
	}
	return list, nil
}

// nameOf returns a function's name, with its receiver's type.
func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	return strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*") + "." + fn.Name.Name
}

// visit adds the mutants of a node.
func (m *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		m.ends(n.Body)
	case *ast.BinaryExpr:
		m.swap(n.OpPos, n.Op)
	case *ast.UnaryExpr:
		if n.Op == token.SUB || n.Op == token.NOT || n.Op == token.XOR {
			m.add("sign", n.OpPos, n.X.Pos(), "")
		}
	case *ast.BasicLit:
		if n.Kind == token.INT && (n.Value == "0" || n.Value == "1") {
			m.add("literal", n.Pos(), n.End(), map[string]string{"0": "1", "1": "2"}[n.Value])
		}
	case *ast.Ident:
		if flip := map[string]string{"true": "false", "false": "true"}[n.Name]; flip != "" {
			m.add("bool", n.Pos(), n.End(), flip)
		}
	case ast.Stmt:
		return m.statement(n)
	}
	return true
}

// statement adds the mutants of a statement as a whole. It reports whether to visit its parts.
func (m *mutator) statement(n ast.Stmt) bool {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		m.swap(n.TokPos, n.Tok)
	case *ast.AssignStmt:
		m.swap(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			m.add("drop", n.Pos(), n.End(), m.uses(slices.Concat(n.Lhs, n.Rhs), false))
		}
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		if ok && m.logs(call) {
			return false
		}
		if !ok {
			call = &ast.CallExpr{} // it receives
		}
		m.add("drop", n.Pos(), n.End(), m.uses(call.Args, false))
	case *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
		m.add("drop", n.Pos(), n.End(), "")
	case *ast.BranchStmt:
		if n.Label == nil && n.Tok != token.FALLTHROUGH {
			m.add("drop", n.Pos(), n.End(), "")
		}
	case *ast.ReturnStmt:
		if !m.last[n] {
			m.add("return", n.Pos(), n.End(), m.uses(n.Results, true))
		}
	case *ast.IfStmt:
		m.add("never", n.Cond.Pos(), n.Cond.End(), "("+m.text(n.Cond)+") && false")
		m.add("always", n.Cond.Pos(), n.Cond.End(), "("+m.text(n.Cond)+") || true")
	case *ast.CaseClause, *ast.CommClause:
		m.add("case", n.Pos(), n.End(), "")
	}
	return true
}

// uses returns statements that use the variables of a dropped statement, or all its expressions, so
// that the mutant compiles.
func (m *mutator) uses(list []ast.Expr, all bool) string {
	var uses []string
	for _, e := range list {
		_, variable := e.(*ast.Ident)
		if text := m.text(e); (variable || all) && text != "_" && text != "nil" {
			uses = append(uses, "_ = "+text)
		}
	}
	return strings.Join(uses, "; ")
}

// ends marks the last statement of a function, whose return cannot be dropped.
func (m *mutator) ends(body *ast.BlockStmt) {
	if n := len(body.List); n > 0 {
		m.last[body.List[n-1]] = true
	}
}

// logs reports whether a call only writes a log.
func (m *mutator) logs(call *ast.CallExpr) bool {
	fn, ok := call.Fun.(*ast.SelectorExpr)
	return ok && slices.Contains([]string{"Debug", "Info", "Warn", "Error"}, fn.Sel.Name) && strings.Contains(strings.ToLower(m.text(fn.X)), "log")
}

func (m *mutator) text(n ast.Node) string {
	return string(m.src[m.file.Offset(n.Pos()):m.file.Offset(n.End())])
}

// swap adds the mutants of an operator.
func (m *mutator) swap(at token.Pos, op token.Token) {
	for _, other := range swaps()[op] {
		m.add(kindOf(op), at, at+token.Pos(len(op.String())), other.String())
	}
}

// add adds a mutant that replaces what lies between two positions.
func (m *mutator) add(kind string, from, to token.Pos, text string) {
	m.count[kind]++
	one := mutant{
		ID: fmt.Sprintf("%s:%s:%s%d", m.path, m.fn, kind, m.count[kind]), Hash: m.hash, path: m.path,
		from: m.file.Offset(from), to: m.file.Offset(to), text: text, line: m.file.Line(from),
	}
	one.change = m.describe(&one)
	m.list = append(m.list, one)
}

// describe shows the lines before and after the change, each joined into one.
func (m *mutator) describe(one *mutant) string {
	begin := strings.LastIndexByte(string(m.src[:one.from]), '\n') + 1
	end := one.to + strings.IndexByte(string(m.src[one.to:])+"\n", '\n')
	before, after := m.src[begin:end], string(m.src[begin:one.from])+one.text+string(m.src[one.to:end])
	line := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	return "`" + line(string(before)) + "` → `" + line(after) + "`"
}
