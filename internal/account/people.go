package account

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"guiche/internal/audit"
	"guiche/internal/oneline"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/version"

	"github.com/google/uuid"
)

// NewUser is what an administrator says about a person.
type NewUser struct {
	Login string
	Name  string
	Roles []permission.Role
	Units []uuid.UUID
}

// Change is what an administrator may change about a person.
type Change struct {
	Name  string
	Roles []permission.Role
	Units []uuid.UUID
	Seen  string // the Version that the administrator saw, "" for any
}

// AddUser adds a user and returns the secret of the link with which they choose
// their password. A login that is taken is a problem.Conflict error.
func (s *Service) AddUser(ctx context.Context, by permission.Actor, n NewUser) (user User, token string, err error) {
	if err := by.Require(permission.ManagePeople); err != nil {
		return User{}, "", err
	}
	user = User{UID: newUID(), Login: foldLogin(n.Login), Name: oneline.Clean(n.Name), Roles: inOrder(n.Roles), Units: n.Units}
	if err := problem.InvalidFields(append(loginProblems(user.Login), personProblems(user)...)); err != nil {
		return User{}, "", err
	}
	err = s.store.Write(ctx, func(tx Tx) error {
		user.CreatedAt = tx.Now()
		if err := insertUser(ctx, tx, by.User, user); err != nil {
			return err
		}
		token, err = s.invite(ctx, tx, by.User, user.UID)
		return err
	})
	if err != nil {
		return User{}, "", err
	}
	return user, token, nil
}

func insertUser(ctx context.Context, tx Tx, actor uuid.UUID, user User) error {
	err := tx.InsertUser(ctx, user)
	if problem.Is(err, problem.Conflict) {
		return loginTaken(err)
	}
	if err != nil {
		return err
	}
	return tx.Append(ctx, about(audit.PersonAdded, actor, user.UID, rolesDetail(user.Roles)))
}

func loginTaken(cause error) error {
	taken := problem.Wrap(problem.Conflict, "Confira os campos indicados.", cause)
	taken.Fields = []problem.Field{{Path: "usuario", Code: "repetido", Message: "Já existe uma pessoa com este usuário."}}
	return taken
}

// ChangeUser changes name, roles and units; they are in force for the person's
// next request. Taking administração away from the last person who has it is a
// problem.Conflict error, and so is changing what somebody else changed since it was
// seen; changing one's own roles or units is a problem.Forbidden one.
func (s *Service) ChangeUser(ctx context.Context, by permission.Actor, uid uuid.UUID, c Change) error {
	return s.update(ctx, by, uid, func(user *User) (audit.Entry, error) {
		before := *user
		if err := version.Check(c.Seen, before.changeable()); err != nil {
			return audit.Entry{}, err
		}
		user.Name, user.Roles, user.Units = oneline.Clean(c.Name), inOrder(c.Roles), c.Units
		if by.User == uid && !sameRights(before, *user) {
			return audit.Entry{}, errOneself
		}
		detail := fmt.Sprintf("%s unidades=%d", rolesDetail(user.Roles), len(user.Units))
		return about(audit.PersonChanged, by.User, uid, detail), problem.InvalidFields(personProblems(*user))
	})
}

// Version is that of what a Change makes of the user.
func (u User) Version() string { return version.Of(u.changeable()) }

func (u User) changeable() Change {
	return Change{Name: u.Name, Roles: u.Roles, Units: u.Units}
}

var errOneself = problem.New(problem.Forbidden, "Ninguém muda o próprio acesso. Peça a outra pessoa da administração.")

// sameRights reports whether two states of a user permit the same.
func sameRights(a, b User) bool {
	covers := func(a, b []uuid.UUID) bool {
		return !slices.ContainsFunc(b, func(u uuid.UUID) bool { return !slices.Contains(a, u) })
	}
	return slices.Equal(a.Roles, b.Roles) && covers(a.Units, b.Units) && covers(b.Units, a.Units)
}

// Disable ends a user's sessions and one-time links at once and lets them log in no
// more. The last one with administração is a problem.Conflict error, oneself a
// problem.Forbidden one.
func (s *Service) Disable(ctx context.Context, by permission.Actor, uid uuid.UUID) error {
	return s.update(ctx, by, uid, func(user *User) (audit.Entry, error) {
		if by.User == uid {
			return audit.Entry{}, errOneself
		}
		user.Disabled = true
		return about(audit.PersonDisabled, by.User, uid, ""), nil
	})
}

// Enable lets a disabled person in again.
func (s *Service) Enable(ctx context.Context, by permission.Actor, uid uuid.UUID) error {
	return s.update(ctx, by, uid, func(user *User) (audit.Entry, error) {
		user.Disabled = false
		return about(audit.PersonEnabled, by.User, uid, ""), nil
	})
}

// update changes a user in one transaction.
func (s *Service) update(ctx context.Context, by permission.Actor, uid uuid.UUID, change func(*User) (audit.Entry, error)) error {
	if err := by.Require(permission.ManagePeople); err != nil {
		return err
	}
	return s.store.Write(ctx, func(tx Tx) error {
		before, err := tx.User(ctx, uid)
		if err != nil {
			return err
		}
		user := before
		entry, err := change(&user)
		if err != nil {
			return err
		}
		if err := tx.UpdateUser(ctx, user); err != nil {
			return err
		}
		if err := settle(ctx, tx, before, user); err != nil {
			return err
		}
		return tx.Append(ctx, entry)
	})
}

// settle draws the consequences of a change: nobody stays in who may not, and
// somebody is left to let people in.
func settle(ctx context.Context, tx Tx, before, after User) error {
	if after.Disabled {
		if err := tx.DeleteSessions(ctx, after.UID); err != nil {
			return err
		}
		if err := tx.DeleteInvitations(ctx, after.UID); err != nil {
			return err
		}
	}
	return keepAdministrator(ctx, tx, before, after)
}

// keepAdministrator refuses a change that leaves nobody who can let people in.
func keepAdministrator(ctx context.Context, tx Tx, before, after User) error {
	if !before.administers() || after.administers() {
		return nil
	}
	users, err := tx.Users(ctx)
	if err != nil || slices.ContainsFunc(users, User.administers) {
		return err
	}
	return problem.New(problem.Conflict, "É a última pessoa com administração. Dê o papel a outra antes.")
}

func (u User) administers() bool {
	return u.Activated && !u.Disabled && u.May(permission.ManagePeople)
}

func newUID() uuid.UUID { return uuid.Must(uuid.NewV7()) } // fails only without a source of randomness

// foldLogin returns a login as it is kept and compared: without spaces around it
// and in lower case.
func foldLogin(login string) string { return strings.ToLower(normalize(strings.TrimSpace(login))) }

// inOrder returns each role once, in the order of Roles; unknown ones last.
func inOrder(roles []permission.Role) []permission.Role {
	rank := func(r permission.Role) int {
		if i := slices.Index(permission.Roles(), r); i >= 0 {
			return i
		}
		return len(permission.Roles())
	}
	sorted := slices.Clone(roles)
	slices.SortFunc(sorted, func(a, b permission.Role) int { return rank(a) - rank(b) })
	return slices.Compact(sorted)
}

func rolesDetail(roles []permission.Role) string {
	words := make([]string, len(roles))
	for i, r := range roles {
		words[i] = string(r)
	}
	return "papeis=" + strings.Join(words, ",")
}

const loginCharacters = "abcdefghijklmnopqrstuvwxyz0123456789.-_@+"

func loginProblems(login string) []problem.Field {
	foreign := strings.ContainsFunc(login, func(r rune) bool { return !strings.ContainsRune(loginCharacters, r) })
	switch n := utf8.RuneCountInString(login); {
	case n == 0:
		return []problem.Field{{Path: "usuario", Code: "obrigatorio", Message: "Informe o usuário."}}
	case n < 3 || n > 64:
		return []problem.Field{{Path: "usuario", Code: "limite", Message: "O usuário tem de 3 a 64 caracteres."}}
	case foreign:
		return []problem.Field{{Path: "usuario", Code: "formato", Message: "Use só letras sem acento, números e . - _ @ +."}}
	default:
		return nil
	}
}

func personProblems(u User) []problem.Field {
	var fields []problem.Field
	switch n := utf8.RuneCountInString(u.Name); {
	case n == 0:
		fields = append(fields, problem.Field{Path: "nome", Code: "obrigatorio", Message: "Informe o nome."})
	case n > 200:
		fields = append(fields, problem.Field{Path: "nome", Code: "limite", Message: "Use no máximo 200 caracteres."})
	}
	if len(u.Roles) == 0 {
		fields = append(fields, problem.Field{Path: "papeis", Code: "obrigatorio", Message: "Escolha ao menos um papel."})
	}
	if slices.ContainsFunc(u.Roles, func(r permission.Role) bool { return !slices.Contains(permission.Roles(), r) }) {
		fields = append(fields, problem.Field{Path: "papeis", Code: "dominio", Message: "Há um papel desconhecido."})
	}
	return fields
}
