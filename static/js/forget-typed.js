// What keep-typed.js kept in this tab goes when its session has ended.
for (const key of Object.keys(sessionStorage)) if (key.startsWith('rascunho:')) sessionStorage.removeItem(key);
