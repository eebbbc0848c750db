//! Obeys one order after the other.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::failure::{Code, Failure};
use crate::module::Module;
use crate::opened::Opened;
use crate::order::{Open, Order, Tell};
use crate::token;

#[derive(Default)]
pub struct Host {
    /// Before the module: its session ends first.
    opened: Option<Opened>,
    module: Option<Module>,
    /// A wrong PIN was given.
    is_spent: bool,
}

impl Host {
    pub fn obey(&mut self, order: Order) -> Tell {
        let id = order.id();
        let told = match order {
            Order::Load { module, sha256, .. } => self.load(id, &module, &sha256),
            Order::List { .. } => {
                self.module().and_then(|module| Ok(Tell::Tokens { id, slots: token::list(&module.calls)? }))
            }
            Order::Open(open) => self.open(open),
            Order::Sign { scheme, message, .. } => self.sign(id, scheme, &message),
        };
        told.unwrap_or_else(|failure| Tell::Failed { id, failure })
    }

    /// Whether the opened token was taken out since the last look.
    pub fn look(&mut self) -> bool {
        let Some((opened, module)) = self.opened.as_ref().zip(self.module.as_ref()) else {
            return false;
        };
        if opened.is_there(module) {
            return false;
        }
        self.opened = None;
        true
    }

    pub fn finish(self) {
        drop(self.opened);
        if let Some(module) = self.module {
            // Its failure changes nothing: the process ends.
            let _ = module.calls.finalize();
        }
    }

    fn module(&self) -> Result<&Module, Failure> {
        self.module.as_ref().ok_or_else(|| Failure::new(Code::Request, "no module is loaded"))
    }

    fn load(&mut self, id: u64, path: &str, sha256: &str) -> Result<Tell, Failure> {
        if self.module.is_some() {
            return Err(Failure::new(Code::Request, "a module is loaded already"));
        }
        let module = Module::load(path, sha256)?;
        let library = module.library()?;
        self.module = Some(module);
        Ok(Tell::Loaded { id, library })
    }

    fn open(&mut self, order: Open) -> Result<Tell, Failure> {
        let id = order.id;
        // Of one session before another: a login is the token’s, and ends with its last session.
        self.opened = None;
        let module =
            self.module.as_ref().ok_or_else(|| Failure::new(Code::Request, "no module is loaded"))?;
        let opened = Opened::open(module, order, &mut self.is_spent)?;
        let view = opened.view();
        self.opened = Some(opened);
        Ok(Tell::Opened { id, opened: view })
    }

    fn sign(&self, id: u64, scheme: u16, message: &str) -> Result<Tell, Failure> {
        let opened = self.opened.as_ref().ok_or_else(|| Failure::new(Code::Request, "no key is open"))?;
        let message = STANDARD
            .decode(message)
            .map_err(|_| Failure::new(Code::Request, "the message isn’t in base64"))?;
        let signature = opened.sign(self.module()?, scheme, &message)?;
        Ok(Tell::Signed { id, signature: STANDARD.encode(signature) })
    }
}
