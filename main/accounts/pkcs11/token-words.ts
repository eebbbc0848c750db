import { type Refusal, type RefusalReason, refuse } from '../../contract/refusal.ts';
import { visibleLine, visibleText } from '../../domain/text/visible-text.ts';
import type { KeysEnded, KeysFailure } from './keys-process.ts';

/** The most of a token’s and a module’s own words. */
const shownCharacters = 600;

/** Codes of native-helper/keys/src/failure.rs, and what the user can do. */
const byCode: Readonly<Record<string, [reason: RefusalReason, hint: (name: string) => string]>> = {
  moduleMissing: ['provider', (name) => `install it, or change module of the account ${name} in config.yaml`],
  moduleChanged: ['notPermitted', (name) => `check it, then approve it: lanyard confirm ${name}`],
  moduleUnsafe: [
    'notPermitted',
    () => 'have the module’s file and folder belong to root, writable by no one else',
  ],
  moduleBroken: ['provider', () => 'try it with another program: pkcs11-tool --module FILE --list-slots'],
  tokenMissing: ['provider', (name) => `put the token in; lanyard pkcs11 list ${name} shows what is there`],
  several: ['notFound', (name) => `lanyard pkcs11 list ${name} shows what is there`],
  keyMissing: ['notFound', (name) => `lanyard pkcs11 list ${name} shows what is there`],
  certificateMissing: [
    'notFound',
    (name) => `name the certificate’s file: certificate of ${name} in config.yaml`,
  ],
  mismatch: [
    'notFound',
    (name) => `name another key, or the certificate’s file: lanyard pkcs11 list ${name}`,
  ],
  keyKind: ['notFound', (name) => `name another key: lanyard pkcs11 list ${name}`],
  pinNeeded: ['loginNeeded', login],
  padNeeded: ['loginNeeded', login],
  pinWrong: ['loginNeeded', login],
  pinLocked: ['provider', () => 'unlock it with the token’s own tools, such as ykman piv access unblock-pin'],
  pinExpired: ['provider', () => 'set another PIN with the token’s own tools'],
  cancelled: ['denied', () => 'try again, and confirm it at the token'],
};

function login(name: string): string {
  return `run: lanyard login ${name}`;
}

/** Why the token of this account gives nothing. */
export function failureRefusal(name: string, { code: told, text, tries }: KeysFailure): Refusal {
  const isLast = told === 'pinWrong' && tries?.locked === true;
  const code = isLast ? 'pinLocked' : told;
  const [reason, hint] = Object.hasOwn(byCode, code) ? (byCode[code] ?? other) : other;
  const left = isLast
    ? '; the token is locked now'
    : tries?.final
      ? '; the next wrong one locks the token'
      : tries?.low && code === 'pinWrong'
        ? '; a few more wrong ones lock the token'
        : '';
  return refuse(reason, `pkcs11.${code}`, `${name}: ${shown(text)}${left}`, hint(name));
}

const other: [RefusalReason, (name: string) => string] = [
  'provider',
  (name) => `take the token out and put it in again; lanyard pkcs11 list ${name} shows what is there`,
];

/** Its process ended before it answered. */
export function endedRefusal(name: string, how: 'crashed' | 'late', seconds: number): Refusal {
  return how === 'late'
    ? refuse(
        'timedOut',
        'pkcs11.late',
        `the token of ${name} did not answer within ${seconds} s: it waits for a touch or a PIN, or its module hangs`,
        'try again, and touch the token when it blinks',
      )
    : refuse(
        'provider',
        'pkcs11.crashed',
        `the PKCS#11 module of ${name} crashed`,
        'try it with another program: pkcs11-tool --module FILE --list-slots',
      );
}

/** It was taken out while it was in use. */
export function removedRefusal(name: string, token: string): Refusal {
  return refuse(
    'provider',
    'pkcs11.tokenMissing',
    `the token ${shown(token)} of ${name} was taken out`,
    'put it in again: nothing else is needed',
  );
}

export function startRefusal(name: string): Refusal {
  return refuse(
    'internal',
    'pkcs11.start',
    `lanyard-keys can’t be started for ${name}`,
    'install Lanyard again: it lies beside the helper',
  );
}

export function goneRefusal(name: string): Refusal {
  return refuse(
    'notPermitted',
    'pkcs11.gone',
    `the account ${name} was changed, or Lanyard was locked`,
    'try again',
  );
}

/** Why a module that no account names yet, or that of one, shows nothing. */
export function moduleRefusal(module: string, told: KeysFailure | KeysEnded, seconds: number): Refusal {
  if (told.tell === 'failed') {
    const [reason] = Object.hasOwn(byCode, told.code) ? (byCode[told.code] ?? other) : other;
    const hint = told.code === 'moduleBroken' ? variableHint : undefined;
    return refuse(reason, `pkcs11.${told.code}`, shown(told.text), hint);
  }
  const path = shown(module);
  return told.how === 'late'
    ? refuse(
        'timedOut',
        'pkcs11.late',
        `the module ${path} did not answer within ${seconds} s, and was ended`,
      )
    : refuse('provider', 'pkcs11.crashed', `the module ${path} crashed`);
}

const variableHint =
  'give it the variable that it reads, such as SOFTHSM2_CONF or TPM2_PKCS11_STORE: --env NAME=VALUE, or env of the account';

/** Null: modules are loaded on this system. */
export function platformRefusal(platform: NodeJS.Platform): Refusal | null {
  return platform === 'linux'
    ? null
    : refuse('notPermitted', 'pkcs11.platform', 'keys on tokens work on Linux alone so far');
}

/** A refusal’s message where the account is named beside it. */
export function withoutName(name: string, message: string): string {
  return message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
}

/** One line of a token’s or a module’s own words. */
export function shown(text: string): string {
  return visibleLine(visibleText(text, shownCharacters));
}
