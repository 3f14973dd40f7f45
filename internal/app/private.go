package app

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// writePrivate puts a JSON file in place whole and readable by its owner only.
func writePrivate(folder, name string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	temporary, err := os.CreateTemp(folder, "."+name+"-*") // 0600
	if err != nil {
		return fmt.Errorf("create %s: %w", name, err)
	}
	defer os.Remove(temporary.Name())
	if _, err := temporary.Write(append(content, '\n')); err != nil {
		_ = temporary.Close()
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := temporary.Close(); err != nil {
		return fmt.Errorf("close %s: %w", name, err)
	}
	if err := os.Rename(temporary.Name(), filepath.Join(folder, name)); err != nil {
		return fmt.Errorf("name %s: %w", name, err)
	}
	return nil
}
