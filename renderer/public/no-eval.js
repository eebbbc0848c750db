// Read by zod when its first schema is made, before any module of the page: the page's CSP has no 'unsafe-eval', and
// zod would try, be refused, and leave a report in the console before it goes the other way.
globalThis.__zod_globalConfig = { jitless: true };
