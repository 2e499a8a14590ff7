import { pageDetails, type PageDetails } from '#extraction/html/page-details.js';

/** Runs in a thread, because the time that parsing takes depends on the page. */
export default ({ html }: { html: string }): PageDetails => pageDetails(html);
