/** Made by the plugin `first-messages.ts` of the build. */
declare module 'messages:*' {
  const addresses: Record<'first' | 'rest', string>;
  export default addresses;
}
