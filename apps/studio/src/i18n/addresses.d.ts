/** Made by the plugin `text-files.ts` of the build. */
declare module 'texts:*' {
  const addresses: Record<'first' | 'rest' | 'service', string>;
  export default addresses;
}
