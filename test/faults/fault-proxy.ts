import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Fault that a proxy applies to its connections. */
export type ProxyFault =
  | { kind: 'refuse' }
  /** Delay in ms of all data. */
  | { kind: 'delay'; ms: number }
  /** Number of bytes in either direction after which a connection is closed. */
  | { kind: 'cut'; bytes: number };

/** Forwards TCP connections to a server, and disturbs them on request. */
export interface FaultProxy {
  port: number;
  /** Null: connections are forwarded unchanged. Open connections are disturbed as well. */
  set(fault: ProxyFault | null): void;
  stop(): Promise<void>;
}

export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let fault: ProxyFault | null = null;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    if (fault?.kind === 'refuse') return void client.destroy();
    const upstream = connect(targetPort, '127.0.0.1');
    const pair = [client, upstream] as const;
    const end = () => pair.forEach((socket) => socket.destroy());
    for (const socket of pair) {
      open.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        open.delete(socket);
        end();
      });
    }
    pass(client, upstream, () => fault, end);
    pass(upstream, client, () => fault, end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      fault = next;
      if (next?.kind === 'refuse') for (const socket of open) socket.destroy();
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(from: Socket, to: Socket, fault: () => ProxyFault | null, end: () => void): void {
  let passed = 0;
  from.on('data', (data) => {
    const now = fault();
    passed = now?.kind === 'cut' ? passed + data.length : 0;
    if (now?.kind === 'cut' && passed > now.bytes) {
      to.write(data.subarray(0, data.length / 2), end);
      return;
    }
    const write = () => {
      if (!to.writable || to.write(data)) return;
      from.pause();
      to.once('drain', () => from.resume());
    };
    if (now?.kind === 'delay') setTimeout(write, now.ms);
    else write();
  });
  from.on('end', () => to.end());
}
