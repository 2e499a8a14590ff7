/** Made by the plugins in `build-plugins.ts` of the build. */
declare module 'texts:*' {
  const addresses: Record<'first' | 'rest' | 'service', string>;
  export default addresses;
}
