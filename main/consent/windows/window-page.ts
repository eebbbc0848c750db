import { createHash } from 'node:crypto';
import { escapeHtml } from '../../domain/text/escape-html.ts';
import type { WindowChange, WindowContent, WindowField } from './window-kind.ts';
import { bodyLimitBytes } from './window-request.ts';
import { windowStyle } from './window-style.ts';

const styleDigest = createHash('sha256').update(windowStyle).digest('base64');

/**
 * No script runs, nothing is loaded, framed or kept, and the form goes nowhere but here. The referrer stays within this
 * origin: with none at all a browser would send the form with `Origin: null`, which any sandboxed frame can have.
 * `formAction`: where a form may go.
 */
export const windowHeaders = (formAction = "'self'"): Record<string, string> => ({
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=(), fullscreen=()',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
});

export interface FormAround {
  /** Where the form is sent. */
  path: string;
  /** Good for one sending. */
  token: string;
  /** Until when it can be answered, in words. */
  until: string;
  /** What was wrong with the previous input. */
  fault: string | null;
}

/** The question with its form. */
export function formPage(content: WindowContent, { path, token, until, fault }: FormAround): string {
  const fields = content.fields ?? [];
  const isEnterYes = content.enter === 'yes';
  const no = `<button name="answer" value="no"${fields.length === 0 ? ' autofocus' : ''}>${escapeHtml(content.no)}</button>`;
  const yes = yesButton(content.yes, 'yes', isEnterYes ? 'yes' : 'yes later');
  const body = [
    content.mark ? paragraph(`own ${content.mark.color}`, content.mark.text) : '',
    ...content.text.map((text) => paragraph('', text)),
    ...(content.rows ? [rowsOf(content.rows)] : []),
    ...(content.danger === undefined ? [] : [paragraph('danger', content.danger)]),
    // Before anything long: the first control has the focus, and a focused control is visible.
    ...fields.map((field, index) => fieldOf(field, index === 0, fault !== null)),
    ...(content.changes ?? []).map(changeOf),
  ];
  const foot = [
    fault === null ? '' : `<p class="danger" role="alert" id="fault">${escapeHtml(fault)}</p>`,
    // Enter presses the first button of a form.
    `<div class="ends${isEnterYes ? ' enter-yes' : ''}">${isEnterYes ? yes + no : no + yes}</div>`,
    ...(content.more ? [moreOf(content.more)] : []),
  ];
  return page('wait', content.heading, `<span class="until">${escapeHtml(until)}</span>`, [
    `<form method="post" action="${escapeHtml(path)}" autocomplete="off">`,
    `<input type="hidden" name="token" value="${escapeHtml(token)}">`,
    // Only this scrolls; heading and buttons stay visible. What scrolls must be reachable by keyboard.
    `<section class="body"${content.changes ? ' tabindex="0" aria-label="What you are asked"' : ''}>`,
    ...body,
    '</section>',
    `<div class="foot">`,
    ...foot,
    '</div>',
    '</form>',
  ]);
}

function yesButton(label: string, answer: string, className: string): string {
  return `<button class="${className}" name="answer" value="${escapeHtml(answer)}">${escapeHtml(label)}</button>`;
}

/** Approving more, or differently, has a separate place: no one does it by accident. */
function moreOf({ label, answers }: NonNullable<WindowContent['more']>): string {
  const buttons = answers.map((each) => yesButton(each.label, each.answer, 'later'));
  return `<fieldset class="more"><legend>${escapeHtml(label)}</legend>${buttons.join('')}</fieldset>`;
}

/** The outcome; nothing can be done here any more. */
export function endPage(kind: 'good' | 'bad' | 'wait', heading: string, text: readonly string[]): string {
  return page(kind, heading, '', [
    ...text.map((each) => paragraph('', each)),
    paragraph('quiet', 'You can close this window.'),
  ]);
}

function page(kind: string, heading: string, beside: string, body: readonly string[]): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(heading)} · Lanyard</title><style>${windowStyle}</style></head>
<body><main class="${kind}">
<header>${mark}Lanyard${beside}</header>
<h1><span class="state" aria-hidden="true"></span>${escapeHtml(heading)}</h1>
${body.filter((each) => each !== '').join('\n')}
</main></body>
</html>
`;
}

function paragraph(className: string, text: string): string {
  return `<p${className === '' ? '' : ` class="${className}"`}>${escapeHtml(text)}</p>`;
}

function rowsOf(rows: readonly (readonly [string, string])[]): string {
  // A fingerprint is compared pair by pair: no line breaks within one.
  const shown = (value: string) => escapeHtml(value).replace(/\b([0-9A-F]{2}:)(?=[0-9A-F]{2}\b)/g, '$1<wbr>');
  const items = rows.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${shown(value)}</dd>`);
  return `<dl>${items.join('')}</dl>`;
}

function changeOf({ title, risks = [], lines, names = [], marks = [], box }: WindowChange): string {
  const shown = lines.map((line) => {
    const sign = line.startsWith('+') ? ' class="plus"' : line.startsWith('-') ? ' class="minus"' : '';
    return `<span${sign}>${escapeHtml(line)}</span>`;
  });
  const told = [
    ...marks.map(({ color, text }) => paragraph(`own ${color}`, text)),
    ...risks.map((risk) => paragraph('risk', risk)),
  ].join('');
  const folded =
    names.length === 0
      ? ''
      : `<details><summary>Names</summary><div class="lines">${names.map((each) => `<span>${escapeHtml(each)}</span>`).join('')}</div></details>`;
  return `<section class="change"><h2>${boxed(escapeHtml(title), box)}</h2>${told}<div class="lines">${shown.join('')}</div>${folded}</section>`;
}

function boxed(title: string, box: WindowChange['box']): string {
  return box === undefined
    ? title
    : `<label><input type="checkbox" name="${escapeHtml(box.name)}"${box.isChecked ? ' checked' : ''}>${title}</label>`;
}

function fieldOf(field: WindowField, isFirst: boolean, isFaulty: boolean): string {
  const { name, label, kind, hint, value = '', autocomplete = 'off' } = field;
  const hintId = hint === undefined ? [] : [`hint-${name}`];
  const described = [...hintId, ...(isFaulty ? ['fault'] : [])].join(' ');
  const attributes = [
    `name="${escapeHtml(name)}" id="${escapeHtml(name)}" spellcheck="false" autocapitalize="off"`,
    ` autocomplete="${escapeHtml(autocomplete)}"`,
    described === '' ? '' : ` aria-describedby="${escapeHtml(described)}"`,
    isFirst ? ' autofocus' : '',
  ].join('');
  // Not less: a text that is cut off here is always too long for the form, and never taken in part.
  const input =
    kind === 'lines'
      ? `<textarea ${attributes} maxlength="${bodyLimitBytes}"></textarea>`
      : `<input type="${kind}" ${attributes} value="${escapeHtml(kind === 'text' ? value : '')}">`;
  const help =
    hint === undefined ? '' : `<span class="hint" id="hint-${escapeHtml(name)}">${escapeHtml(hint)}</span>`;
  return `<label for="${escapeHtml(name)}">${escapeHtml(label)}</label>${help}${input}`;
}

const mark =
  '<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.7" aria-hidden="true"><path d="M5 2c0 5 5 5 5 9M15 2c0 5-5 5-5 9"/><rect x="6.5" y="11" width="7" height="7" rx="1.6"/></svg>';
