import { z } from 'zod';

// The page's CSP has no 'unsafe-eval': zod would only try, and be refused, before it goes the other way.
z.config({ jitless: true });
