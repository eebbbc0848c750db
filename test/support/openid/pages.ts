/** What a person sees at the provider. No script, no outside file; each value is escaped. */

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const style = `
:root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { width: min(26rem, 90vw); }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
label { display: block; margin: 1rem 0 .25rem; }
input[type=text] { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; }
button { font: inherit; margin: 1.25rem .5rem 0 0; padding: .5rem 1.25rem; cursor: pointer; }
code { font-size: 1.5rem; letter-spacing: .1em; }
.problem { color: #c22; }`;

export type PageName = 'code' | 'confirm' | 'login' | 'consent' | 'done' | 'problem';

/** A whole page; `bodyHtml` is markup whose values are already escaped. */
export function page(name: PageName, title: string, bodyHtml: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main data-page="${name}"><h1>${escapeHtml(title)}</h1>
${bodyHtml}
</main></body></html>`;
}

export function codePage(formHtml: string, problem: string | null): string {
  const notice = problem === null ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
  return page(
    'code',
    'Connect a device',
    `${notice}<p>Type the code that your terminal shows.</p>${formHtml}
<button type="submit" form="op.deviceInputForm">Continue</button>`,
  );
}

export function confirmPage(formHtml: string, client: string, userCode: string): string {
  return page(
    'confirm',
    'Is this your code?',
    `<p>${escapeHtml(client)} asks to log in with the code</p><p><code>${escapeHtml(userCode)}</code></p>
<p>Continue only if your own terminal shows it.</p>${formHtml}
<button type="submit" form="op.deviceConfirmForm" autofocus>Continue</button>
<button type="submit" form="op.deviceConfirmForm" name="abort" value="yes">Deny</button>`,
  );
}

export function loginPage(uid: string, client: string, problem: string | null): string {
  const notice = problem === null ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
  return page(
    'login',
    'Log in',
    `<p>To continue to ${escapeHtml(client)}. This provider is made for trying things: any name will do.</p>${notice}
<form method="post" action="/interaction/${encodeURIComponent(uid)}">
<label for="login">Name</label>
<input type="text" id="login" name="login" value="alice" autocomplete="username" autofocus>
<button type="submit">Log in</button></form>`,
  );
}

export function consentPage(uid: string, client: string, who: string, scopes: readonly string[]): string {
  const list = scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('');
  return page(
    'consent',
    `Allow ${client}?`,
    `<p>You are ${escapeHtml(who)}. It asks for:</p><ul>${list}</ul>
<form method="post" action="/interaction/${encodeURIComponent(uid)}">
<button type="submit" name="decision" value="allow" autofocus>Allow</button>
<button type="submit" name="decision" value="deny">Deny</button></form>`,
  );
}

export function donePage(): string {
  return page('done', 'You are logged in', '<p>Go back to your terminal: it continues by itself.</p>');
}

export function problemPage(error: string, description: string): string {
  return page('problem', 'That did not work', `<p>${escapeHtml(error)}: ${escapeHtml(description)}</p>`);
}
