import type { Context, Provider } from 'oidc-provider';
import { consentPage, loginPage } from './pages.ts';

async function readForm(ctx: Context): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of ctx.req) {
    text += String(chunk);
    if (text.length > 10_000) {
      break;
    }
  }
  return new URLSearchParams(text);
}

/**
 * Serves `/interaction/…`: the login and the consent page. Throws where the page's time is over. `subjectOf` is what
 * the provider calls somebody with that login name.
 */
export async function interact(
  provider: Provider,
  ctx: Context,
  subjectOf: (login: string) => string,
): Promise<void> {
  const interaction = await provider.interactionDetails(ctx.req, ctx.res);
  const { uid, prompt, params, session } = interaction;
  const client = params['client_id'] ?? '';
  ctx.type = 'html';
  if (ctx.method !== 'POST') {
    const asked = (params['scope'] ?? '').split(' ');
    ctx.body =
      prompt.name === 'login'
        ? loginPage(uid, client, null)
        : consentPage(uid, client, session?.accountId ?? '', asked);
    return;
  }
  const form = await readForm(ctx);
  const finish = async (result: Record<string, unknown>) => {
    ctx.respond = false;
    await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: true });
  };
  if (prompt.name === 'login') {
    const login = form.get('login') ?? '';
    if (!/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(login)) {
      ctx.body = loginPage(uid, client, 'A name has letters, digits and . _ @ -');
      return;
    }
    await finish({ login: { accountId: subjectOf(login) } });
    return;
  }
  if (form.get('decision') !== 'allow') {
    await finish({ error: 'access_denied', error_description: 'the person said no' });
    return;
  }
  const known = interaction.grantId ? await provider.Grant.find(interaction.grantId) : undefined;
  const grant = known ?? new provider.Grant({ accountId: session?.accountId, clientId: client });
  const details = prompt.details as {
    missingOIDCScope?: string[];
    missingOIDCClaims?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  grant.addOIDCScope((details.missingOIDCScope ?? []).join(' '));
  grant.addOIDCClaims(details.missingOIDCClaims ?? []);
  for (const [resource, missing] of Object.entries(details.missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, missing.join(' '));
  }
  await finish({ consent: { grantId: await grant.save() } });
}
