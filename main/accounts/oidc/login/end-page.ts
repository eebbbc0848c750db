import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../domain/text/escape-html.ts';
import type { LoggedIn } from '../../../ports/account.ts';
import { pageStyle } from './end-page-style.ts';

/** A page that the receiver shows in the user's browser. */
export interface Page {
  status: number;
  html: string;
}

/** Browsers close a tab that was opened only for this login's address, as from a terminal; else nothing happens. */
const closeSoon = 'setTimeout(() => close(), 3000)';

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64');

/** Nothing is loaded, kept, framed or told on: the address of the page holds the code. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${digestOf(pageStyle)}'; script-src 'sha256-${digestOf(closeSoon)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  connection: 'close',
};

/** The end of a login: as whom, or what went wrong and what to do. */
export function endPage(account: string, outcome: LoggedIn): Page {
  if (!outcome.ok) {
    const hint = outcome.hint ?? `lanyard login ${account}`;
    return page(400, 'bad', 'The login did not work', [
      ['p', sentence(outcome.message, account)],
      ['next', hint],
      ['quiet', 'Nothing was changed. You can close this window.'],
    ]);
  }
  const lines: Line[] = [
    ['who', outcome.displayName],
    ['p', `Lanyard holds this login as the account ${account}, from ${new URL(outcome.issuer).host}.`],
    ...(outcome.note === null ? [] : ([['p', sentence(outcome.note, account)]] as const)),
    ['quiet', 'You can close this window.'],
  ];
  return page(200, 'good', 'You are logged in', lines, `<script>${closeSoon}</script>\n`);
}

/** For who comes without this login's state: an old tab, a bookmark, another page that tries. */
export function strangePage(): Page {
  return page(400, 'bad', 'This is not the login that Lanyard waits for', [
    ['p', 'The address belongs to another login, or to one that is over. Nothing was changed.'],
    ['quiet', 'Go back to the page that Lanyard opened last, or begin again where you began.'],
  ]);
}

/** For a provider that takes long to issue the tokens. */
export function slowPage(): Page {
  return page(200, 'wait', 'Not done yet', [
    ['p', 'The provider is slow to answer Lanyard.'],
    ['quiet', 'How it ends is shown where you began the login. You can close this window.'],
  ]);
}

type Line = readonly ['p' | 'who' | 'next' | 'quiet', string];

function page(
  status: number,
  kind: 'good' | 'bad' | 'wait',
  title: string,
  lines: readonly Line[],
  script = '',
): Page {
  const body = lines.map(([name, text]) => `<p class="${name}">${escapeHtml(text)}</p>`).join('\n');
  return {
    status,
    html: `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Lanyard</title><style>${pageStyle}</style></head>
<body><main data-page="end" class="${kind}">
<header>${mark}Lanyard</header>
<h1><span class="state" aria-hidden="true"></span>${escapeHtml(title)}</h1>
${body}
</main>${script}</body>
</html>
`,
  };
}

const mark =
  '<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.7" aria-hidden="true"><path d="M5 2c0 5 5 5 5 9M15 2c0 5-5 5-5 9"/><rect x="6.5" y="11" width="7" height="7" rx="1.6"/></svg>';

/** Refusals are written for the middle of a line; a name at their beginning stays as it is. */
function sentence(text: string, account: string): string {
  const isWord = /^[a-z]+[ ’]/.test(text) && !text.startsWith(`${account} `);
  return `${isWord ? text.charAt(0).toUpperCase() : text.charAt(0)}${text.slice(1)}.`;
}
