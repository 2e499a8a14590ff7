import { OwnGateway } from './own-gateway.js';
import { TcpProxy } from './tcp-proxy.js';
import { sharedStack } from './shared-stack.js';
import { openStudio, type Studio } from './studio.js';

/** A studio on the shared stack with a connection that can be cut and a gateway that can be killed. */
export interface StudioJourney {
  studio: Studio;
  relay: TcpProxy;
  gateway: OwnGateway;
  close(): Promise<void>;
}

/** Starts an additional gateway of the shared stack, and opens the studio through a TCP proxy to it. */
export async function openJourney(): Promise<StudioJourney> {
  const stack = await sharedStack();
  const gateway = await OwnGateway.start(stack.env);
  const relay = await TcpProxy.start(gateway.url);
  const studio = await openStudio({ url: relay.url, tenant: () => stack.tenant() });
  return {
    studio,
    relay,
    gateway,
    close: async () => {
      await studio.close();
      await relay.stop();
      await gateway.stop();
    },
  };
}
