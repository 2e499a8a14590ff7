/** The nonce of this very page: styles that scripts add need it (content security policy). */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
