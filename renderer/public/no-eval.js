// zod reads this when it creates its first schema, so it comes before all modules of the page. Without it zod would try
// eval, which the page's CSP blocks, and the browser would log a CSP violation.
globalThis.__zod_globalConfig = { jitless: true };
