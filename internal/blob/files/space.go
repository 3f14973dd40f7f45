package files

import (
	"fmt"

	"guiche/internal/problem"
)

// Free is how many bytes may still be written to a folder.
func Free(folder string) (int64, error) {
	free, err := freeSpace(folder)
	if err != nil {
		return 0, fmt.Errorf("blob: free space: %w", err)
	}
	return free, nil
}

// Room implements blob.Store.
func (s *Store) Room() error {
	free, err := freeSpace(s.root.Name())
	switch {
	case err != nil:
		return fmt.Errorf("blob: free space: %w", err)
	case free < s.minFree:
		return problem.New(problem.NoSpace,
			"O servidor está quase sem espaço em disco e não recebe arquivos por enquanto. Avise a administração.")
	}
	return nil
}
