import { queueNames } from '#contracts/queues.js';
import { BullModule, getFlowProducerToken, getQueueToken } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import type { FlowProducer, Queue } from 'bullmq';
import type { QueueBackend } from './backend.js';
import { JobQueues } from './job-queues.js';

const FLOWS = 'flows';

/** Registers every queue of the service on a backend and provides `JobQueues`. */
@Module({})
export class QueueModule {
  /** @param backend open; its owner closes it after the app */
  static of(backend: QueueBackend): DynamicModule {
    const { connection } = backend;
    return {
      module: QueueModule,
      imports: [
        BullModule.registerQueue(...queueNames.map((name) => ({ name, connection }))),
        BullModule.registerFlowProducer({ name: FLOWS, connection, forceDisconnectOnShutdown: false }),
      ],
      providers: [
        {
          provide: JobQueues,
          useFactory: (flows: FlowProducer, ...queues: Queue[]) => new JobQueues(backend, flows, queues),
          inject: [getFlowProducerToken(FLOWS), ...queueNames.map((name) => getQueueToken(name))],
        },
      ],
      exports: [JobQueues],
    };
  }
}
