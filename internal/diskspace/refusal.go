package diskspace

import (
	"fmt"

	"guiche/internal/problem"
)

// Files refuses a file, as problem.NoSpace, while there is no room for files. An error of
// another kind says that the room is not known.
func (d *Disk) Files() error {
	state, err := d.State()
	if err != nil || state.Level == Enough {
		return err
	}
	return problem.New(problem.NoSpace, fmt.Sprintf("%s Para receber arquivos são precisos %s. Avise a administração.",
		short(state.Free), Megabytes(d.config.MinFree)))
}

// Requests refuses what is new and can wait, as problem.NoSpace, while there is room only
// for what is there already.
func (d *Disk) Requests() error {
	state, err := d.State()
	if err != nil || state.Level < NothingNew {
		return err
	}
	return problem.New(problem.NoSpace, fmt.Sprintf("%s Para guardar algo novo são precisos %s. Avise a administração.",
		short(state.Free), Megabytes(state.Needed)))
}

// Full returns the error for who wrote what the disk had no space for. The reserve is
// given up, for a quota may have ended what the disk still shows as free.
func (d *Disk) Full(cause error) error {
	if d == nil {
		return problem.Wrap(problem.NoSpace, "Falta espaço no disco do servidor, e nada foi gravado. Avise a administração.", cause)
	}
	d.mu.Lock()
	if d.reserved {
		d.release()
	}
	free, err := d.free()
	d.mu.Unlock()
	text := "O disco do servidor não aceita mais dados."
	if err == nil && free < d.requests() {
		text = short(free) + " São precisos " + Megabytes(d.requests()) + "."
	}
	return problem.Wrap(problem.NoSpace, text+" Isto não foi gravado. Avise a administração.", cause)
}

func short(free int64) string {
	return "Falta espaço no disco do servidor: há " + Megabytes(free) + " livres."
}

// Megabytes writes a number of bytes as free space is told: "512 MB".
func Megabytes(bytes int64) string {
	const mib = 1 << 20
	if bytes > 0 && bytes < mib {
		return "menos de 1 MB"
	}
	return fmt.Sprintf("%d MB", bytes/mib)
}
