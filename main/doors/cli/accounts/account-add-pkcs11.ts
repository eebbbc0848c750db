import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { Pkcs11Config } from '../../../contract/config/accounts/pkcs11.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { type ListTokensDeps, listModuleFile, listSeconds } from '../../../operations/pkcs11/list-tokens.ts';
import { type Selected, selectedBy, selectedText, usableKeys } from '../../../operations/pkcs11/selected.ts';
import type { KeyReport, TokenReport } from '../../../operations/pkcs11/token-report.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import type { CommandCall } from '../command.ts';
import { addedAnswer, clusterAddLine, type EditDeps, editConfig } from '../edit-config.ts';
import { keyText, moduleText } from '../pkcs11/tokens-text.ts';
import { confirmProgram } from './exec-plugin-options.ts';
import { type Pkcs11Options, pkcs11Value } from './pkcs11-options.ts';

export type Pkcs11AddDeps = EditDeps &
  Pick<ListTokensDeps, 'environment' | 'list' | 'look' | 'platform'> & { clock: Pick<Clock, 'now'> };

/**
 * `lanyard account add NAME --pkcs11 FILE …`. At a terminal it says which key is meant, once the user has seen and
 * approved the module: only then is it loaded.
 */
export async function addPkcs11(
  call: CommandCall,
  name: string,
  options: Pkcs11Options,
  deps: Pkcs11AddDeps,
): Promise<DoorAnswer> {
  const { value, pkcs11 } = pkcs11Value(call, options);
  const program = { command: pkcs11.module, isLibrary: true };
  const programs = await confirmProgram(call, name, program, deps.look);
  const found = call.terminal.canPrompt ? await lookForKey(call, name, pkcs11, deps) : {};
  const account = { pkcs11: { ...value, ...found } };
  const saved = await editConfig(
    call,
    { kind: 'set', what: 'account', name, value: account },
    deps,
    programs,
  );
  return addedAnswer(`account ${name}`, `${clusterAddLine(name)} --proxy`, saved);
}

/** Says which key is meant. What has to be stated for it beside what the user said. Throws BrokerError where several fit. */
async function lookForKey(
  call: CommandCall,
  name: string,
  pkcs11: Pkcs11Config,
  deps: Pkcs11AddDeps,
): Promise<Pick<Pkcs11Config, 'token' | 'serial'>> {
  call.terminal.extend(listSeconds);
  const listed = await listModuleFile(deps, pkcs11, [{ ...pkcs11, name }], call.signal, async () => true);
  if (!listed.ok) {
    throw refusalError({
      ...listed,
      hint: `nothing was added${listed.hint === undefined ? '' : `; ${listed.hint}`}`,
    });
  }
  const { slots } = listed.report;
  const selected = selectedBy(name, slots);
  const say = (token: TokenReport, key: KeyReport) =>
    call.terminal.print(`key of ${name}: ${keyText(key)}; on the token ${token.label}\n`);
  switch (selected.state) {
    case 'one':
      say(selected.token, selected.key);
      return {};
    case 'noToken':
    case 'hidden':
    case 'noKey':
      call.terminal.print(`note: ${name}: ${selectedText(selected)}\n`);
      return {};
    case 'severalTokens': {
      const [only, ...more] = selected.tokens.flatMap((token) =>
        usableKeys(name, token).map((key) => ({ token, key })),
      );
      if (only && more.length === 0 && pkcs11.uri === undefined) {
        say(only.token, only.key);
        return stated(only.token, selected.tokens);
      }
      break;
    }
    case 'severalKeys':
      break;
  }
  call.terminal.print(`${moduleText(listed, deps.clock.now())}\n`);
  throw new BrokerError('pkcs11.several', `nothing was added: ${selectedText(selected)}`, {
    reason: 'usage',
    hint: severalHint(selected),
  });
}

/** What tells a token from the others. */
function stated(token: TokenReport, tokens: readonly TokenReport[]): Pick<Pkcs11Config, 'token' | 'serial'> {
  return tokens.some((each) => each !== token && each.label === token.label)
    ? { serial: token.serial }
    : { token: token.label };
}

/** The options that name the first of them. */
function severalHint(selected: Extract<Selected, { state: 'severalTokens' | 'severalKeys' }>): string {
  if (selected.state === 'severalTokens') {
    const [first] = selected.tokens;
    return `add --token-label ${shellWord(first?.label ?? '')} or --token-serial ${shellWord(first?.serial ?? '')}, or those of another one`;
  }
  const [first] = selected.keys;
  return `add --key-id ${first?.id} or --key-label ${shellWord(first?.label ?? '')}, or those of another one`;
}
