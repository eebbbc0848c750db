import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import { readBounded } from '../../config/read-bounded.ts';
import type { Paths } from '../../domain/paths.ts';
import { type Observation, observe } from '../../domain/text/finding.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { Check } from '../check.ts';

const startFile = z.object({
  version: z.literal(1),
  command: z.array(z.string()).min(1),
  /** There where an installed app wrote it. */
  desktop: z.array(z.string()).optional(),
});

/** Checks what a broker places in its home for helpers: the helper and start.json. */
export function installedCheck(paths: Pick<Paths, 'helper' | 'start'>): Check {
  return {
    group: 'broker',
    name: 'installed',
    subject: null,
    run: async () => [await observeHelper(paths.helper), await observeStart(paths.start)],
  };
}

const again = 'lanyard agent puts it there when it starts';
/** Not `lanyard agent`: the helper starts it by this very file. */
const openAgain =
  'the app was moved or removed: quit Lanyard if it runs, then open it where it is now, and it writes this file anew';

async function observeHelper(helper: string): Promise<Observation> {
  const found = observe('home.helper');
  return (await isExecutable(helper))
    ? found.ok(`the helper is at ${helper}`)
    : found.problem(`there is no helper at ${helper}, which kubeconfigs name`, again);
}

async function observeStart(start: string): Promise<Observation> {
  const found = observe('home.start');
  const content = await readBounded(start);
  if (content === null) {
    return found.note(`there is no ${start}: helpers can’t start the agent automatically`, again);
  }
  const parsed = content.ok ? startFile.safeParse(parseJson(content.text)) : null;
  if (!parsed?.success) {
    return found.problem(`${start} can’t be used`, again);
  }
  const [program = '', ...args] = parsed.data.command;
  // For node: its options, then the file. An installed app gets no file.
  const script = args.find((arg) => isAbsolute(arg));
  for (const file of [program, script]) {
    if (file !== undefined && !(await access(file).then(ok, no))) {
      return found.problem(
        `${start} starts the agent by ${visibleText(file, 300)}, which is gone`,
        parsed.data.desktop ? openAgain : again,
      );
    }
  }
  return found.ok('helpers can start the agent automatically');
}

const ok = () => true;
const no = () => false;

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(ok, no);
}
