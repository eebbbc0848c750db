'use strict';
/* Electron's own parts, 23 to 45. */
const { Readable } = require('node:stream');
const { app, net } = require('electron');
const undici = require('undici');

/** protocol.handle (25), by registerStreamProtocol, which it replaced. */
function handle(scheme, handler) {
  this.registerStreamProtocol(scheme, async (request, answer) => {
    try {
      const { method, headers, url, uploadData = [] } = request;
      const sent = uploadData.flatMap(({ bytes }) => (bytes ? [bytes] : []));
      const standard = new undici.Request('http://x/', {
        ...{ method, headers },
        ...(sent.length > 0 && { body: Buffer.concat(sent) }),
      });
      // undici knows no addresses of other schemes.
      Object.defineProperty(standard, 'url', { value: url });
      const response = await handler(standard);
      const data = Buffer.from(await response.arrayBuffer());
      answer({
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        data: Readable.from(data.length > 0 ? [data] : []),
      });
    } catch (error) {
      console.error('protocol.handle', error);
      answer({ error: -2 });
    }
  });
}

app.on('session-created', (session) => {
  Object.getPrototypeOf(session.protocol).handle ??= handle;
  // 27: nothing stands for it.
  Object.getPrototypeOf(session).setUSBProtectedClassesHandler ??= () => undefined;
});

net.fetch ??= undici.fetch;

/** Since 25 the details of a navigation are the event's own. will-frame-navigate (25) has no elder. */
const navigations = ['will-navigate', 'will-redirect', 'did-start-navigation', 'did-redirect-navigation'];
app.on('web-contents-created', (_event, contents) => {
  const { on } = contents;
  contents.on = function (name, listener) {
    if (!navigations.includes(name)) {
      return on.call(this, name, listener);
    }
    return on.call(this, name, (event, url, isInPlace, isMainFrame, ...rest) => {
      event.url ??= url;
      event.isMainFrame ??= name === 'will-navigate' ? true : isMainFrame;
      event.isSameDocument ??= isInPlace;
      return listener(event, url, isInPlace, isMainFrame, ...rest);
    });
  };
});
