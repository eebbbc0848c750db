import { afterAll } from 'vitest';
import { endContexts } from './shared-chromium.ts';

// Set up before each file of the page’s, so that it runs after all of the file’s own.
afterAll(endContexts);
