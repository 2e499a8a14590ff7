import { lazyPart } from './lazy-part';

/** Editor that is loaded when a page shows it. */
export const LazyMarkdownEditor = lazyPart(() => import('./markdown-editor'));
