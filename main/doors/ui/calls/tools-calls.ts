import type { CommandTools } from '../../../operations/command-tools.ts';
import type { UiHandlers } from '../handlers.ts';

/** The command line tools, by the broker’s environment: a page has none. */
export function createToolsCalls({
  tools,
}: {
  tools: Pick<CommandTools, 'install' | 'remove'>;
}): Pick<UiHandlers, 'tools.install' | 'tools.remove'> {
  return {
    'tools.install': async () => {
      const { items, missing } = await tools.install({});
      const made: string[] = [];
      const left: { path: string; why: string }[] = [];
      for (const { path, outcome } of items) {
        if (outcome.kind === 'left' || outcome.kind === 'failed') {
          left.push({ path, why: outcome.kind === 'left' ? outcome.what : failed(outcome.what) });
        } else if (outcome.kind !== 'present') {
          made.push(path);
        }
      }
      return { made, left, notes: [...missing] };
    },
    'tools.remove': async () => {
      const removed: string[] = [];
      const left: { path: string; why: string }[] = [];
      for (const { path, outcome } of await tools.remove()) {
        if (outcome.kind === 'left' || outcome.kind === 'failed') {
          left.push({ path, why: outcome.kind === 'left' ? outcome.what : failed(outcome.what) });
        } else if (outcome.kind === 'removed') {
          removed.push(path);
        }
      }
      return { removed, left };
    },
  };
}

function failed(code: string): string {
  return code === 'EACCES' || code === 'EPERM'
    ? 'the system doesn’t let Lanyard write there'
    : `the system refused it (${code})`;
}
