package app

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"guiche/internal/atomicfile"
)

// writePrivate writes a JSON file that only its owner may read.
func writePrivate(folder, name string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	if err := atomicfile.Write(filepath.Join(folder, name), append(content, '\n'), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
