import { posix, win32 } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readBounded } from '../../config/read-bounded.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Check, Observed } from '../check.ts';
import { judgePlugin, type PluginPolicy } from '../rules/plugin-policy.ts';
import type { UserEnvironment } from './user-environment.ts';

const kubercBytes = 256 * 1024;
/** The first minor release that reads the policy. */
const firstMinor = 35;

const preference = z.object({
  credentialPluginPolicy: z.string().nullish(),
  credentialPluginAllowlist: z
    .array(z.object({ name: z.string().optional(), command: z.string().optional() }))
    .nullish(),
});

/** Checks whether kubectl’s preferences let it run Lanyard’s helper. */
export function kubercCheck(person: UserEnvironment, helper: string): Check {
  return {
    group: 'tools',
    name: 'kuberc',
    subject: null,
    run: async () => {
      const file = kubercFile(person);
      const content = file === null ? null : await readBounded(file, kubercBytes);
      return file === null || content === null
        ? []
        : [{ ...(await observeKuberc(file, content, person, helper)), subject: file }];
    },
  };
}

/** KUBERC, else ~/.kube/kuberc; null where it is off, or there is no home folder. */
export function kubercFile({ variables, homeDirectory, platform, cwd }: UserEnvironment): string | null {
  const path = platform === 'win32' ? win32 : posix;
  const named = variables['KUBERC'] ?? '';
  if (named === 'off') {
    return null;
  }
  return named !== ''
    ? path.resolve(cwd, named)
    : homeDirectory && path.join(homeDirectory, '.kube', 'kuberc');
}

async function observeKuberc(
  file: string,
  content: NonNullable<Awaited<ReturnType<typeof readBounded>>>,
  person: UserEnvironment,
  helper: string,
): Promise<Observed> {
  const found = observe('kuberc');
  if (!content.ok) {
    return found.warning(content.fault);
  }
  const policy = parseKuberc(content.text);
  if (policy === null) {
    return found.warning('its credentialPluginPolicy can’t be read', `edit ${file}`);
  }
  const lookUp = async (name: string) =>
    /[\\/]/.test(name) ? name : ((await person.program(name))?.path ?? null);
  const verdict = await judgePlugin(policy, helper, lookUp);
  if (verdict.kind === 'permitted') {
    return found.ok('it lets kubectl run lanyard');
  }
  const version = (await person.kubectl())?.version ?? null;
  const matters = version === null || version.major > 1 || version.minor >= firstMinor;
  const add = `add to credentialPluginAllowlist: {command: ${helper}}; kubectl 1.35 wants {name: ${helper}}`;
  const [message, hint] =
    verdict.kind === 'denied'
      ? [
          'its credentialPluginPolicy is DenyAll: kubectl runs no credential plugin',
          `set it to Allowlist, and ${add}`,
        ]
      : verdict.kind === 'notListed'
        ? ['lanyard’s helper is not on its credentialPluginAllowlist: kubectl does not run it', add]
        : [`${verdict.fault}: kubectl runs no credential plugin`, `edit ${file}`];
  return matters ? found.problem(message, hint) : found.note(`${message} (from 1.35 on)`, hint);
}

/** Null where the text is no readable kuberc. */
function parseKuberc(text: string): PluginPolicy | null {
  try {
    const [document] = parseAllDocuments(text);
    if (document === undefined || !('toJS' in document) || document.errors.length > 0) {
      return document === undefined ? { policy: '', allowed: null } : null;
    }
    const parsed = preference.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
    if (!parsed.success) {
      return null;
    }
    const { credentialPluginPolicy, credentialPluginAllowlist } = parsed.data;
    return {
      policy: credentialPluginPolicy ?? '',
      allowed: credentialPluginAllowlist?.map(({ name, command }) => command ?? name ?? '') ?? null,
    };
  } catch {
    return null;
  }
}
