/** What the bundler knows of its modules. */
interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Whether a module loads together with `root`: it, or one that it imports, has a static import of it. */
export function neededBy(root: string): (id: string, modules: Modules) => boolean {
  let needed: Set<string> | null = null;
  return (id, modules) => {
    needed ??= reachable(root, modules);
    return needed.has(id);
  };
}

function reachable(root: string, modules: Modules): Set<string> {
  const found = new Set([root]);
  // The set grows while it is walked.
  for (const id of found) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
      found.add(imported);
    }
  }
  return found;
}
