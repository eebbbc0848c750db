import { expect, test } from 'vitest';
import { chooseFlow } from './choose-flow.ts';

const code = { authorization_endpoint: 'https://id.example.com/auth' };
const device = { device_authorization_endpoint: 'https://id.example.com/device' };
const both = { ...code, ...device };

const corp = { name: 'corp', host: 'id.example.com' };

type Flow = 'auto' | 'browser' | 'device' | 'clientCredentials';
type Wish = 'browser' | 'device' | 'paste' | null;

test.each<[Flow, Wish, 'display' | 'none' | 'elsewhere', object, string]>([
  // auto: a browser where the caller would see it, else the code
  ['auto', null, 'display', both, 'browser, opened'],
  ['auto', null, 'none', both, 'device'],
  ['auto', null, 'elsewhere', both, 'device'],
  // what the provider doesn't offer is left out
  ['auto', null, 'display', code, 'browser, opened'],
  ['auto', null, 'display', device, 'device'],
  ['auto', null, 'none', device, 'device'],
  ['auto', null, 'none', code, 'oidc.login.noDisplay'],
  ['auto', null, 'elsewhere', code, 'oidc.login.noDisplay'],
  ['auto', null, 'display', {}, 'oidc.login.noFlow'],
  ['auto', null, 'display', { ...both, response_types_supported: ['id_token'] }, 'device'],
  ['auto', null, 'display', { ...both, response_types_supported: ['code', 'id_token'] }, 'browser, opened'],
  // as the account says
  ['browser', null, 'display', both, 'browser, opened'],
  ['browser', null, 'none', both, 'browser, shown'],
  ['browser', null, 'elsewhere', both, 'browser, shown'],
  ['browser', null, 'display', device, 'oidc.authorization.missingEndpoint'],
  ['device', null, 'display', both, 'device'],
  ['device', null, 'display', code, 'oidc.device.missingEndpoint'],
  // a wish wins over what the account says
  ['device', 'browser', 'display', both, 'browser, opened'],
  ['device', 'browser', 'none', both, 'browser, shown'],
  ['browser', 'device', 'display', both, 'device'],
  ['device', 'paste', 'display', both, 'browser, shown'],
  ['auto', 'browser', 'none', code, 'browser, shown'],
  ['auto', 'device', 'display', both, 'device'],
])('%s, wished: %s, display: %s, of %j: %s', (flow, wished, display, metadata, expected) => {
  const wish = { flow: wished, atThisMachine: display !== 'elsewhere' };
  const chosen = chooseFlow({ ...corp, config: { flow }, wish, hasDisplay: display !== 'none', metadata });
  const text = !chosen.ok
    ? chosen.code
    : chosen.flow === 'browser'
      ? `browser, ${chosen.open ? 'opened' : 'shown'}`
      : chosen.flow;
  expect(text).toBe(expected);
});

test('where there is no display and no device code, one who can bring the last address gets the page’s', () => {
  const wish = { flow: null, atThisMachine: false, canBring: true };
  const chosen = chooseFlow({ ...corp, config: { flow: 'auto' }, wish, hasDisplay: true, metadata: code });
  expect(chosen).toEqual({ ok: true, flow: 'browser', open: false });
});

test('says the other way where the one that was asked for is not offered', () => {
  const ask = (flow: 'browser' | 'device', metadata: object) => {
    const wish = { flow, atThisMachine: true };
    return chooseFlow({ ...corp, config: { flow: 'auto' }, wish, hasDisplay: true, metadata });
  };
  expect(ask('device', code)).toMatchObject({ reason: 'provider', hint: 'lanyard login corp --browser' });
  expect(ask('browser', device)).toMatchObject({ reason: 'provider', hint: 'lanyard login corp --device' });
  expect(ask('browser', {})).not.toHaveProperty('hint');
});
