/** Refusals where somebody or something did as it should: a person said no, a rule did, or a person has to act first. */
const asItShould = [
  'approval.',
  'lock.',
  'vault.locked',
  'vault.passphrase.',
  'binding.',
  'account.',
  'cluster.',
  'kube.usage',
  'kube.destination.',
  'kube.account.',
  'login.',
  'grant.none',
  'grant.lost',
  'oidc.login.',
  'oidc.session.',
  'oidc.noSession',
  'oidc.cancelled',
  'oidc.browser.',
  'oidc.device.',
  'execCredential.',
  'execPlugin.changed',
  'execPlugin.lost',
  'execPlugin.moved',
  'execPlugin.secretMissing',
  'execPlugin.unsafe',
] as const;

/** Whether a refused call failed by Lanyard's own, a plugin's or a provider's fault: what counts against the objective. */
export function isFault(code: string): boolean {
  return !asItShould.some((each) => (each.endsWith('.') ? code.startsWith(each) : code === each));
}
