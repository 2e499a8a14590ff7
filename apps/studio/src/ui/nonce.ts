/** Nonce of this page, which styles added by scripts need (content security policy). */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
