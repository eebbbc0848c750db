import type { z } from 'zod';
import { BrokerError } from '../../../contract/broker-error.ts';
import { type chainStep, type proxy, secretHeader } from '../../../contract/config/proxy.ts';
import { isSecretInVariable } from '../../../domain/import/exec-secrets.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { usageError } from '../command.ts';

type Step = z.input<typeof chainStep>;

export interface ProxyOptions {
  proxy: boolean | undefined;
  /** In their order. */
  headers: readonly string[] | undefined;
  impersonate: string | undefined;
  groups: string[] | undefined;
  /** The account that signs. */
  sign: string | undefined;
  service: string | undefined;
  region: string | undefined;
}

/**
 * The options `--proxy…` as the part `proxy` of config.yaml has them; undefined: none was given. Throws BrokerError
 * (reason usage), for secrets as well: config.yaml holds none.
 */
export function proxyOptions(given: ProxyOptions): z.input<typeof proxy> | undefined {
  const { headers = [], impersonate, groups } = given;
  if (groups && impersonate === undefined) {
    throw usageError('cluster add', '--proxy-impersonate-group goes with --proxy-impersonate');
  }
  const steps = headerSteps(headers);
  if (impersonate !== undefined) {
    steps.push({ impersonate: { user: impersonate, ...(groups && { groups }) } });
  }
  steps.push(...signStep(given));
  if (steps.length === 0) {
    return given.proxy ? {} : undefined;
  }
  return { chain: steps };
}

/** After all others: what was signed stays as it is. */
function signStep({ sign, service, region }: ProxyOptions): Step[] {
  if (sign === undefined) {
    const more = service !== undefined ? 'service' : region !== undefined ? 'region' : null;
    if (more !== null) {
      throw usageError('cluster add', `--proxy-sign-${more} goes with --proxy-sign`);
    }
    return [];
  }
  if ((service === undefined) !== (region === undefined)) {
    throw usageError('cluster add', '--proxy-sign-service and --proxy-sign-region go together');
  }
  return [{ sign, ...(service !== undefined && { service, region }) }];
}

/** As with curl’s `--header`, a name that is given again adds a second header. */
function headerSteps(headers: readonly string[]): Step[] {
  const seen = new Set<string>();
  return headers.map((text) => {
    const { name, ...rest } = readHeader(text);
    if ('isRemoved' in rest) {
      return { remove: name };
    }
    const isMore = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    return { ...(isMore ? { add: name } : { set: name }), ...rest };
  });
}

type Header = { name: string } & (
  | { isRemoved: true }
  | { value: string }
  | { account: string; scheme?: string }
);

/** `NAME: VALUE`, `NAME:`, `NAME=@ACCOUNT`, `NAME=SCHEME @ACCOUNT`. A header’s name has neither `:` nor `=`. */
function readHeader(text: string): Header {
  const [, name = '', mark, rest = ''] = /^([^:=\s]+)([:=])([\s\S]*)$/.exec(text) ?? [];
  const source = /^(?:([^\s@]+) +)?@(\S+)$/.exec(rest);
  if (mark === '=' && source) {
    const [, scheme, account = ''] = source;
    return { name, account, ...(scheme !== undefined && { scheme }) };
  }
  const value = rest.trim();
  if (mark !== ':' || /^(\S+ +)?@\S+$/.test(value)) {
    throw usageError('cluster add', `--proxy-header takes ${headerForms}`);
  }
  if (value === '') {
    return { name, isRemoved: true };
  }
  if (secretHeader.test(name) || isSecretInVariable(name, value)) {
    const shown = visibleText(name, 128);
    throw new BrokerError(
      'cluster.secretGiven',
      `the value of ${shown} is a secret by its name or form, and config.yaml holds none`,
      {
        reason: 'usage',
        hint: `make an account that has it: lanyard account add NAME --static-token; then give --proxy-header ${shown}=@NAME`,
      },
    );
  }
  return { name, value };
}

const headerForms = '"NAME: VALUE", NAME=@ACCOUNT, or "NAME:" to remove one';
