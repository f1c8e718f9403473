from omni.ext import ExtensionManager

GLOBAL_EVENT_APP_READY: str
GLOBAL_EVENT_UPDATE: str

class IApp:
    def is_app_ready(self) -> bool: ...
    def get_extension_manager(self) -> ExtensionManager: ...

def get_app() -> IApp: ...
