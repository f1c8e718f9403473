from typing import Any

class AssetPath:
    def __init__(self, path: str) -> None: ...

class Path: ...

class ChangeBlock:
    def __enter__(self) -> None: ...
    def __exit__(self, *error: object) -> None: ...

class ValueTypeName: ...

class ValueTypeNames:
    Asset: ValueTypeName
    Bool: ValueTypeName
    Color3f: ValueTypeName
    Float: ValueTypeName
    Float2: ValueTypeName
    Float3: ValueTypeName
    Float4: ValueTypeName
    String: ValueTypeName
    TexCoord2fArray: ValueTypeName
    Token: ValueTypeName
    UInt: ValueTypeName

class PrimSpec:
    def HasInfo(self, name: str) -> bool: ...
    def GetInfo(self, name: str) -> Any: ...
    def SetInfo(self, name: str, value: object) -> None: ...

class Layer:
    pseudoRoot: PrimSpec
    subLayerPaths: list[str]
    defaultPrim: str
    realPath: str
    @staticmethod
    def FindOrOpen(path: str) -> Layer | None: ...
    @staticmethod
    def CreateNew(path: str) -> Layer: ...
    def Save(self) -> bool: ...
