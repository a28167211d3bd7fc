/** Our program and the libraries behind one interface: each with its own sandbox, one lookup at a time. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { environmentOf } from '../../../sandbox/environment.ts';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox.ts';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import { callCatalog } from '../catalog-call.ts';
import type { Context } from '../context.ts';
import type { Session } from '../session.ts';
import { makeCertificate, openTlsFront } from './tls-front.ts';

export interface Subject {
  sandbox: Sandbox;
  call(): Promise<boolean>;
  close(): Promise<void>;
}

export interface SubjectKind {
  name: string;
  open(options: SandboxOptions): Promise<Subject>;
}

/** @param folder where the libraries are installed. */
export async function subjectKinds(context: Context, folder: string): Promise<SubjectKind[]> {
  const certificate = makeCertificate();
  const authority = path.join(folder, 'authority.pem');
  await writeFile(authority, certificate.cert);
  const peer = (name: string, peerName: string): SubjectKind => ({
    name,
    async open(options) {
      const sandbox = await startSandbox({ ...options, headerStyle: 'public' });
      const front = await openTlsFront(certificate, sandbox);
      const session = context.start(context.programs.peer, {
        env: {
          ...environmentOf(sandbox),
          PEER: peerName,
          PEER_FOLDER: folder,
          PEER_TLS_PORT: String(front.port),
          NODE_EXTRA_CA_CERTS: authority,
        },
      });
      return ready(sandbox, session, () => front.close());
    },
  });
  return [
    {
      name: context.programs.ours.name,
      async open(options) {
        const sandbox = await startSandbox({ ...options, headerStyle: 'public' });
        return ready(sandbox, context.start(context.programs.ours, { env: environmentOf(sandbox) }));
      },
    },
    peer('amazon-sp-api 1.2.1', 'amazon-sp-api'),
    peer('@sp-api-sdk auth 3.1.4, common 4.0.4', '@sp-api-sdk'),
  ];
}

async function ready(sandbox: Sandbox, session: Session, closeFront?: () => Promise<void>): Promise<Subject> {
  await session.initialize();
  return {
    sandbox,
    call: () => callCatalog(session, sandbox.marketplaceId),
    async close() {
      await session.close();
      await closeFront?.();
      await sandbox.close();
    },
  };
}
